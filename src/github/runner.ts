import { readFile } from 'node:fs/promises'
import { ClusterError } from '../lib/cluster-error.ts'
import { describeError } from '../lib/describe-error.ts'
import { type Finding, formatPath } from '../lib/finding.ts'
import type { Json } from '../lib/json.ts'
import type { Redactor } from '../lib/redactor.ts'
import { visibleMarkdown } from '../plan/markdown-escape.ts'
import { fitMarkdown, markdownLimits } from './fit-markdown.ts'
import { harmlessText } from './harmless-text.ts'
import { type RunnerEvent, readRunnerEvent } from './runner-event.ts'
import { cutLine, type RunnerLog } from './runner-log.ts'

/** What GitHub's runner is to an action. The only seam to it: actions and commands know nothing else. */
export interface Runner {
  readonly event: RunnerEvent
  /** The input's text, trimmed; empty when it was not given. */
  input(name: string): string
  /**
   * Sets an output as it is: paths and ids with asterisks in them would be none. One that holds a secret is not
   * set, and a warning says so.
   */
  setOutput(name: string, value: string): void
  /** Adds Markdown to the job's summary; what would not fit is cut, never dropped. */
  writeSummary(markdown: string): Promise<void>
  /** Points at the line of the file that a finding is about. */
  annotate(file: string, finding: Finding): void
  info(message: string): void
  warn(message: string): void
  /** Marks the step as failed, with an error that people understand. */
  fail(error: unknown): void
  /** Carries a value from `main` to `post`. */
  saveState(name: string, value: string): void
  savedState(name: string): string
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The runner that this process was started by, whose streams `log` guards. From here on every secret that the
 * redactor learns is masked by the runner too, leaf by leaf: a masked document would mask each of its lines.
 */
export async function connectRunner(
  env: Environment,
  redactor: Redactor,
  log: RunnerLog,
): Promise<Runner> {
  const core = await import('@actions/core')
  // The runner masks each line of a secret that has several, so its short lines would hide half of the
  // log. The redactor knows the long lines by themselves.
  redactor.onSecret((secret) => {
    if (!secret.includes('\n')) log.command(() => core.setSecret(secret))
  })
  const clean = (text: string) => harmlessText(cutLine(redactor.redact(text)))
  const info = (text: string) => core.info(text.replace(/\r\n|[\r\n]/g, continuation))
  const warn = (text: string) => log.command(() => core.warning(clean(text)))
  return {
    info,
    warn,
    event: readRunnerEvent(env, await readPayload(env['GITHUB_EVENT_PATH'])),
    input: (name) => core.getInput(name),
    setOutput(name, value) {
      if (redactor.redact(value) === value) log.command(() => core.setOutput(name, value))
      else warn(`the output ${name} is not set: it would hold a secret of this run`)
    },
    async writeSummary(markdown) {
      if (env['GITHUB_STEP_SUMMARY'] === undefined) return
      const text = visibleMarkdown(redactor.redact(markdown))
      await core.summary.addRaw(fitMarkdown(text, markdownLimits.summary), true).write()
    },
    annotate(file, { severity, path, message, hint, position }) {
      const field = path.length === 0 ? '' : `${formatPath(path)}: `
      const text = clean(`${field}${message}${hint === undefined ? '' : ` (${hint})`}`)
      const place = position ? { startLine: position.line, startColumn: position.column } : {}
      const annotate = severity === 'error' ? core.error : core.warning
      log.command(() => annotate(text, { title: 'hcloud-talos', file: clean(file), ...place }))
    },
    fail(error) {
      const { headline, details } = describeError(error)
      for (const line of details) info(line)
      const text = [headline, ...details.filter((line) => line.startsWith('hint'))].join('; ')
      log.command(() => core.setFailed(clean(text)))
    },
    saveState: (name, value) => log.command(() => core.saveState(name, value)),
    savedState: (name) => core.getState(name),
  }
}

/** Before each further line of one message: nobody's text begins a line of the log. */
const continuation = '\n    | '

async function readPayload(path: string | undefined): Promise<Json> {
  if (path === undefined || path === '') return null
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    throw new ClusterError('usage', 'the event of this run cannot be read', {
      target: path,
      hint: 'Run the action in a GitHub workflow, or use the command at a terminal.',
      cause: error,
    })
  }
}

/** Fails a step whose runner could not even be understood: an annotation, as runners take them, and the exit code. */
export function failWithoutRunner(error: unknown, redactor: Redactor, log: RunnerLog): void {
  const { headline, details, exitCode } = describeError(error)
  const text = redactor.redact([headline, ...details].join(' ').replace(/\s+/g, ' '))
  const data = harmlessText(text).replaceAll('%', '%25')
  log.command(() => process.stdout.write(`::error::${data}\n`))
  process.exitCode = exitCode
}
