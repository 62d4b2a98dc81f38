import type { HostCheck, HostStep, HostStepId } from './host-check.ts'

/** Unknown is no failure: nobody could look, and so nothing is changed for it. */
export type CheckState = 'passed' | 'failed' | 'unknown'

/** What was seen of one check on one host. */
export interface HostEvidence {
  /** In milliseconds since the Unix epoch. */
  readonly at: number
  readonly host: string
  readonly step: HostStepId
  readonly check: string
  /** What is true when the check passes. */
  readonly words: string
  readonly state: CheckState
  readonly seen: string
}

/** How a script ended, as far as it is asked here. */
export interface HostScriptResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const states: readonly string[] = ['passed', 'failed', 'unknown'] satisfies CheckState[]

/** The evidence of a step, one of each check: what the probe did not report is unknown. */
export function readEvidence(
  step: HostStep,
  { code, stdout, stderr }: HostScriptResult,
  { host, at }: Pick<HostEvidence, 'host' | 'at'>,
): HostEvidence[] {
  const reported = new Map(stdout.split('\n').flatMap((line) => readLine(line)))
  const silence = `not reported (exit code ${code}): ${lastLine(stderr)}`
  return step.checks.map(({ id, words }: HostCheck) => ({
    at,
    host,
    step: step.id,
    check: id,
    words,
    ...(reported.get(id) ?? { state: 'unknown', seen: silence }),
  }))
}

function readLine(line: string): [string, Pick<HostEvidence, 'state' | 'seen'>][] {
  const [mark, id = '', state = '', seen] = line.split('\t')
  if (mark !== 'check' || seen === undefined || !isState(state)) return []
  return [[id, { state, seen }]]
}

function isState(text: string): text is CheckState {
  return states.includes(text)
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) || 'nothing was printed'
}
