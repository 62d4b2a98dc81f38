// Run as a step of a job: brings every text out by every way that the runner has, and by those of Node.
import fc from 'fast-check'
import { guardProcessLog } from '../../src/actions/guard-process-log.ts'
import { createRunnerProgress } from '../../src/actions/runner-progress.ts'
import { connectRunner } from '../../src/github/runner.ts'
import { ClusterError } from '../../src/lib/cluster-error.ts'
import { Redactor } from '../../src/lib/redactor.ts'
import { hostileText, hostileTexts } from '../github/hostile-text.ts'

const redactor = new Redactor()
const runner = await connectRunner(process.env, redactor, guardProcessLog(redactor))
const progress = createRunnerProgress(runner)
const texts = [...hostileTexts, ...fc.sample(hostileText, { numRuns: 200, seed: 20_261_128 })]

for (const text of texts) {
  runner.info(text)
  runner.warn(text)
  runner.annotate(text, { severity: 'error', path: [text], message: text, hint: text })
  const phase = progress.phase(text)
  phase.step(text)
  phase.skip(text)
  phase.succeed(text)
  phase.fail(text)
  runner.setOutput('said', text)
  runner.saveState('said', text)
  runner.fail(new ClusterError('state-locked', text, { hint: text, target: text, operation: text }))
  runner.fail(new TypeError(text))
  console.log(text)
  console.error(text)
  process.emitWarning(text, 'DeprecationWarning')
}
await runner.writeSummary(texts.join('\n'))
