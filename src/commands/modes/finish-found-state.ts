import type { Plan } from '../../plan/plan.ts'
import type { KnownCluster } from '../../planner/known-cluster.ts'
import type { ClusterMode } from '../../run/mode/cluster-mode.ts'
import { appliedSpec } from '../../run/plan-records.ts'
import type { RunContext } from '../../run/run-context.ts'
import type { StateSession } from '../../run/state-session.ts'
import type { Generation } from '../../store/generation.ts'

/** A state that was written of a cluster that was there before it. */
export interface FoundState {
  readonly generation: number
  readonly nodes: readonly string[]
  /** What an apply would do now: nothing, where the cluster is as the file asks for it. */
  readonly plan: Plan
}

/**
 * The end of what writes the state of a cluster that runs: the provider remembers it, and where nothing differs from the
 * file, the state says that the file is applied.
 */
export async function finishFoundState<S extends StateSession, V extends KnownCluster>(
  { machines, life }: ClusterMode<S, V>,
  context: RunContext,
  session: S,
  { manifest, inventory }: Generation,
): Promise<FoundState> {
  const { spec, store } = session
  const view = await machines.observe(session)
  await machines.anchor(session, view)
  const plan = life.planApply(view, { now: context.calendar.now() })
  if (plan.changes.length === 0) {
    await store.update(
      () => ({
        inventory: life.recordAll(inventory, view),
        applied: appliedSpec(spec, context.run),
      }),
      'Note what is applied',
    )
    await machines.anchor(session, view)
  }
  const nodes = inventory.nodes.map(({ name }) => name)
  return { generation: manifest.generation, nodes, plan }
}
