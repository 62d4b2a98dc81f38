import type { PhaseProgress, Progress } from '../../src/lib/progress.ts'
import type { Redactor } from '../../src/lib/redactor.ts'
import type { World } from '../../src/sandbox/world.ts'

/**
 * The progress of a run that the world's judge hears too: what is said is an output, redacted as the
 * terminal and the runner redact it, and after a phase has failed the run may begin nothing new.
 */
export function judgedProgress(
  inner: Progress,
  { world, run, redactor }: { world: World; run: string; redactor: Redactor },
): Progress {
  const { runs, outputs } = world.judge
  const hear = (text = '') => {
    runs.heard(run, world.requests.length)
    outputs.output('the log', redactor.redact(text))
  }
  return {
    phase(title) {
      hear(title)
      return judgedPhase(inner.phase(title), hear, () => runs.failed(run, world.requests.length))
    },
    info(message) {
      hear(message)
      inner.info(message)
    },
    warn(message) {
      hear(message)
      inner.warn(message)
    },
  }
}

function judgedPhase(
  inner: PhaseProgress,
  hear: (text?: string) => void,
  failed: () => void,
): PhaseProgress {
  return {
    step(message) {
      hear(message)
      inner.step(message)
    },
    fraction: (done) => inner.fraction(done),
    succeed(message) {
      hear(message)
      inner.succeed(message)
    },
    fail(message) {
      hear(message)
      failed()
      inner.fail(message)
    },
    skip(reason) {
      hear(reason)
      inner.skip(reason)
    },
  }
}
