// Run as a step of a job: does with the runner what the test looks at from outside.
import { guardProcessLog } from '../../src/actions/guard-process-log.ts'
import { neededInput, readInput } from '../../src/actions/input.ts'
import { connectRunner } from '../../src/github/runner.ts'
import { ClusterError } from '../../src/lib/cluster-error.ts'
import { Redactor } from '../../src/lib/redactor.ts'

const redactor = new Redactor()
const runner = await connectRunner(process.env, redactor, guardProcessLog(redactor))
const secret = 'planted-secret-1'
redactor.add(secret)
redactor.add(`-----BEGIN X-----\n${'k'.repeat(40)}\nshort\n-----END X-----`)

runner.info(`a line with ${secret} in it`)
runner.setOutput('said', `output with ${secret}`)
runner.setOutput('path', '/tmp/somewhere')
runner.setOutput('lines', 'one\ntwo')
runner.setOutput('given', runner.input('some-input'))
runner.saveState('key', 'a value\nof two lines')
runner.warn('one%\ntwo')
runner.annotate('cluster.yaml', {
  severity: 'error',
  path: ['nodes', 'workers', 0, 'count'],
  message: `is, after all: ${secret}`,
  hint: 'repair it',
  position: { line: 3, column: 5 },
})
runner.warn('z'.repeat(1_000_000))
runner.annotate('cluster.yaml', { severity: 'warning', path: [], message: 'no place' })
await runner.writeSummary(`${secret}\n${'a line of the summary\n'.repeat(60_000)}`)
try {
  readInput({ 'not-there': neededInput('What is needed.') }, 'not-there', runner)
} catch (error) {
  runner.fail(error)
}
runner.fail(new ClusterError('state-locked', `held by ${secret}`, { hint: 'wait' }))
runner.fail(new TypeError('x is undefined'))
