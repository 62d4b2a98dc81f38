import type { Clock } from '../../lib/clock.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import type { HostStep } from './host-check.ts'
import { type HostEvidence, type HostScriptResult, readEvidence } from './host-evidence.ts'
import { renderApply, renderProbe } from './render-step.ts'

/** A host on which scripts run as root; an exit code is a result. */
export interface PreparedHost {
  readonly name: string
  readonly clock: Clock
  runScript(text: string, args: readonly string[]): Promise<HostScriptResult>
}

/** What is seen of a step on a host; nothing is changed. */
export async function probeStep(host: PreparedHost, step: HostStep): Promise<HostEvidence[]> {
  const result = await host.runScript(renderProbe(step), step.args)
  return readEvidence(step, result, { host: host.name, at: host.clock.now() })
}

/**
 * Makes the steps true on a host, one after the other: each is probed, applied where a check failed, and probed again.
 * Returns what was seen last of each; what is true already is not touched. Throws `script-failed` with the evidence where
 * a step cannot be made true: nothing of a later step is begun then.
 */
export async function prepareHost(
  host: PreparedHost,
  steps: readonly HostStep[],
  options: PrepareOptions = {},
): Promise<HostEvidence[]> {
  const all: HostEvidence[] = []
  for (const step of steps) all.push(...(await prepareStep(host, step, options)))
  return all
}

export interface PrepareOptions {
  /** No pods run on it that would feel a restart: what is refused on a node is done then. */
  readonly isDrained?: boolean
}

async function prepareStep(
  host: PreparedHost,
  step: HostStep,
  { isDrained = false }: PrepareOptions,
): Promise<HostEvidence[]> {
  const before = await probeStep(host, step)
  if (isDone(before)) return before
  const { code, stderr } = await host.runScript(renderApply(step, isDrained), step.args)
  const after = await probeStep(host, step)
  if (code === 0 && isDone(after)) return after
  const left = after.filter(({ state }) => state !== 'passed')
  throw new ClusterError('script-failed', `${host.name} cannot be prepared: ${step.id} failed`, {
    operation: `prepare the host (${step.id})`,
    target: host.name,
    evidence: [
      ...left.map(({ check, state, seen }) => `${check} ${state}: ${seen}`),
      ...stderr.trim().split('\n').slice(-4),
    ].filter((line) => line !== ''),
    hint: 'Fix on the host what is listed above, then run again: it continues there.',
  })
}

function isDone(evidence: readonly HostEvidence[]): boolean {
  return evidence.every(({ state }) => state === 'passed')
}
