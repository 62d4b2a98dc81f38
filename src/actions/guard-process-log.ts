import { format } from 'node:util'
import { guardRunnerLog, type RunnerLog } from '../github/runner-log.ts'
import type { Redactor } from '../lib/redactor.ts'

/**
 * Guards both streams of this process, which the runner reads alike, and brings what Node would print past them
 * into them: its warnings, and what NODE_DEBUG asks for.
 */
export function guardProcessLog(redactor: Redactor): RunnerLog {
  const log = guardRunnerLog([process.stdout, process.stderr], redactor)
  const write = (text: string) => process.stderr.write(`${text}\n`)
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => write(`${name}: ${message}`))
  Reflect.set(process, '_rawDebug', (...parts: unknown[]) => write(format(...parts)))
  process.once('exit', () => log.flush())
  return log
}
