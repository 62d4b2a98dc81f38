import { describeRef, fieldAt, type ObjectRef } from '../lib/kubernetes-object.ts'
import type { KubernetesClient } from './kubernetes-client.ts'
import { condition, notReadyBecause } from './readiness.ts'

/** An object that must be healthy before a node goes. */
export interface ReadyGate extends ObjectRef {
  /** Type of the condition that must be True; absent for workloads, which must be rolled out. */
  readonly condition?: string | undefined
}

/** Why a gate is closed; undefined where it is open. What is not there, or of a kind that is not, is closed. */
export async function gateClosedBecause(
  client: KubernetesClient,
  gate: ReadyGate,
): Promise<string | undefined> {
  const { resourceOf } = await client.discovery()
  const named = describeRef(gate)
  if (!resourceOf(gate.apiVersion, gate.kind)) {
    return `${named}: the cluster has no ${gate.kind} in ${gate.apiVersion}`
  }
  const live = await client.get(gate)
  if (!live) return `${named} is not there`
  if (gate.condition === undefined) {
    // Nothing asked for is nothing to wait for: a workload that is scaled to none is healthy.
    const wanted = fieldAt(live, 'spec', 'replicas')
    const reason = wanted === 0 ? undefined : notReadyBecause(live)
    return reason === undefined ? undefined : `${named}: ${reason}`
  }
  const found = condition(live, gate.condition)
  if (found?.status === 'True') return undefined
  return `${named} is not ${gate.condition}${found ? `: ${found.message || found.reason}` : ' yet'}`
}
