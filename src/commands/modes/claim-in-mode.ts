import { randomHex } from '../../lib/random.ts'
import type { ClusterNode } from '../../plan/cluster-node.ts'
import type { InventoryNode } from '../../plan/inventory.ts'
import { claimResources } from '../../plan/inventory-resources.ts'
import type { Plan } from '../../plan/plan.ts'
import type { KnownCluster } from '../../planner/known-cluster.ts'
import type { ClusterLifecycle } from '../../run/mode/cluster-mode.ts'
import { keepSecrets, readKept, setterOf } from '../../run/named-secrets.ts'
import { recordPlan } from '../../run/plan-records.ts'
import type { RunContext } from '../../run/run-context.ts'
import { StateRecorder } from '../../run/state-recorder.ts'
import type { StateSession } from '../../run/state-session.ts'

export interface ClaimedCluster<V extends KnownCluster> {
  readonly view: V
  readonly recorder: StateRecorder
  /** What is carried out. */
  readonly plan: Plan
}

/**
 * Writes down what must be known before anything is made: the uid that will mark all of it, the slots and
 * addresses of new nodes, and the plan that is carried out, with who requested it.
 */
export async function claimInMode<S extends StateSession, V extends KnownCluster>(
  { machines, life }: ClusterLifecycle<S, V>,
  context: RunContext,
  session: S,
  view: V,
  { plan, resumable }: { readonly plan: Plan; readonly resumable: boolean },
): Promise<ClaimedCluster<V>> {
  const { store, spec } = session
  const former = view.generation?.inventory
  const base = former ?? life.firstInventory(view, randomHex(context.random, 8))
  const given = view.secrets?.given ?? new Map<string, string>()
  if (former && plan.changes.length === 0 && given.size === 0) {
    return { view, recorder: new StateRecorder(store, former), plan }
  }
  const allocated = { ...base, nodes: withAllocated(base.nodes, view.nodes) }
  const claimed = claimResources(allocated, plan.changes, machines.recordsOf(view))
  const lent = machines.recordLent(claimed, view)
  const setter = setterOf(context, 'environment')
  const now = context.calendar.now()
  const generation = await store.update(
    async (newest) => ({
      ...(await keepSecrets(lent, given, () => readKept(store), setter)),
      plans: recordPlan(plan, spec, context.run, now, newest, { resumable }),
    }),
    former ? 'Allocate nodes' : `Begin the cluster ${spec.clusterName}`,
  )
  const recorder = new StateRecorder(store, generation.inventory)
  return { view: { ...view, generation }, recorder, plan }
}

function withAllocated(
  known: readonly InventoryNode[],
  nodes: readonly ClusterNode[],
): InventoryNode[] {
  const names = new Set(known.map((node) => node.name))
  const added = nodes.filter((node) => !names.has(node.name))
  return [
    ...known,
    ...added.map(({ name, role, pool, slot, privateIp, location }) => ({
      name,
      role,
      pool,
      slot,
      privateIp,
      location,
    })),
  ]
}
