import type { RefUpdate } from './private-repository.ts'

/** The arguments of an atomic push with a lease on each ref. */
export function pushArguments(url: string, updates: readonly RefUpdate[]): string[] {
  return [
    'push',
    '--porcelain',
    '--atomic',
    '--no-verify',
    ...updates.map(({ ref, expected }) => `--force-with-lease=${ref}:${expected ?? ''}`),
    '--',
    url,
    ...updates.map(({ ref, next }) => `${next ?? ''}:${ref}`),
  ]
}
