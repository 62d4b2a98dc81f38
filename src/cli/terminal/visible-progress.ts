import type { PhaseProgress, Progress } from '../../lib/progress.ts'

/** Progress that is given nothing but texts as `show` leaves them. */
export function visibleProgress(progress: Progress, show: (text: string) => string): Progress {
  return {
    phase: (title) => visiblePhase(progress.phase(show(title)), show),
    info: (message) => progress.info(show(message)),
    warn: (message) => progress.warn(show(message)),
  }
}

function visiblePhase(phase: PhaseProgress, show: (text: string) => string): PhaseProgress {
  return {
    step: (message) => phase.step(show(message)),
    fraction: (done) => phase.fraction(done),
    succeed: (message) => phase.succeed(message === undefined ? undefined : show(message)),
    fail: (message) => phase.fail(show(message)),
    skip: (reason) => phase.skip(show(reason)),
  }
}
