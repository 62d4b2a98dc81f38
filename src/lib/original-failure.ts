/**
 * What went wrong first: where cleaning up after a failure failed as well, JavaScript throws a
 * SuppressedError that stands before the failure that people must see.
 */
export function originalFailure(error: unknown): unknown {
  let original = error
  while (original instanceof SuppressedError) original = original.suppressed
  return original
}

/** What went wrong afterwards, while cleaning up, as lines; empty where nothing did. */
export function laterFailures(error: unknown): string[] {
  const later: string[] = []
  for (let at = error; at instanceof SuppressedError; at = at.suppressed) {
    later.unshift(at.error instanceof Error ? at.error.message : String(at.error))
  }
  return later
}
