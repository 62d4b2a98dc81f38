import { isApiAway } from '../kubernetes/api-refusal.ts'
import type { KubernetesClient } from '../kubernetes/kubernetes-client.ts'
import { gateClosedBecause } from '../kubernetes/upgrade-gates.ts'
import type { Clock } from '../lib/clock.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import { waitFor } from '../lib/wait-for.ts'
import type { CommonSpec } from '../spec/common-spec.ts'
import type { NodeStep } from './run-step.ts'

export interface GateWait {
  readonly spec: CommonSpec
  readonly kubernetes: KubernetesClient
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly step: NodeStep
}

const everyMs = 2_000

/**
 * Waits until every gate of the spec is open: what its user named is healthy, and the next node may go.
 * Throws `upgrade-gate-closed` with all that are closed when the time of the spec is up.
 */
export async function waitForGates(wait: GateWait): Promise<void> {
  if (wait.spec.upgrade.gates.length === 0) return
  await wait.step('wait for the gates', (report) => untilOpen(wait, report))
}

async function untilOpen(
  { spec, kubernetes, clock, signal }: GateWait,
  report: (message: string) => void,
): Promise<void> {
  const { gates, gateMinutes } = spec.upgrade
  let closed: readonly string[] = []
  await waitFor(
    'the gates to be open',
    async () => {
      closed = await closedGates(kubernetes, gates)
      const [first] = closed
      return first === undefined ? { done: undefined } : { pending: `a gate is closed: ${first}` }
    },
    {
      clock,
      signal,
      everyMs,
      withinMs: gateMinutes * 60_000,
      onPending: report,
      timedOut: () => gateClosed(closed, `after ${gateMinutes} min`),
    },
  )
}

async function closedGates(
  kubernetes: KubernetesClient,
  gates: CommonSpec['upgrade']['gates'],
): Promise<string[]> {
  try {
    const reasons = await Promise.all(gates.map((gate) => gateClosedBecause(kubernetes, gate)))
    return reasons.filter((reason) => reason !== undefined)
  } catch (error) {
    // What cannot be asked is not known to be healthy.
    if (!isApiAway(error)) throw error
    return ['the Kubernetes API is away']
  }
}

function gateClosed(closed: readonly string[], when: string): ClusterError {
  return new ClusterError(
    'upgrade-gate-closed',
    `${when} ${closed.length === 1 ? 'a gate is' : `${closed.length} gates are`} still closed: ${closed.join('; ')}`,
    {
      operation: 'wait for the gates',
      hint: 'Fix what the gate names, or take it out of `upgrade` in the cluster file.',
    },
  )
}
