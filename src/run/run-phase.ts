import type { PhaseProgress, Progress } from '../lib/progress.ts'

/** Does one thing under a title; a failure is shown under it and thrown. */
export async function runPhase<T>(
  progress: Progress,
  title: string,
  run: (phase: PhaseProgress) => Promise<T>,
  describe: (result: T) => string | undefined = () => undefined,
): Promise<T> {
  const phase = progress.phase(title)
  try {
    const result = await run(phase)
    phase.succeed(describe(result))
    return result
  } catch (error) {
    phase.fail(error instanceof Error ? error.message : String(error))
    throw error
  }
}
