import type { PhaseProgress, Progress } from '../lib/progress.ts'
import { visibleLine } from '../lib/visible-text.ts'

/** Progress that is given nothing but texts which show themselves, each on one line. */
export function visibleProgress(progress: Progress): Progress {
  return {
    phase: (title) => visiblePhase(progress.phase(visibleLine(title))),
    info: (message) => progress.info(visibleLine(message)),
    warn: (message) => progress.warn(visibleLine(message)),
  }
}

function visiblePhase(phase: PhaseProgress): PhaseProgress {
  return {
    step: (message) => phase.step(visibleLine(message)),
    fraction: (done) => phase.fraction(done),
    succeed: (message) => phase.succeed(message === undefined ? undefined : visibleLine(message)),
    fail: (message) => phase.fail(visibleLine(message)),
    skip: (reason) => phase.skip(visibleLine(reason)),
  }
}
