import { runPlan } from '../../engine/run-plan.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import { refuseErrors } from '../../lib/findings-error.ts'
import type { PhaseProgress, Progress } from '../../lib/progress.ts'
import type { Change } from '../../plan/change.ts'
import type { Plan } from '../../plan/plan.ts'
import type { KnownCluster } from '../../planner/known-cluster.ts'
import type { ClusterFile } from '../../run/cluster-file.ts'
import { clusterUnknown } from '../../run/cluster-unknown.ts'
import { lockCluster } from '../../run/lock-cluster.ts'
import type { ClusterLifecycle } from '../../run/mode/cluster-mode.ts'
import type { RecordedView, Removal } from '../../run/mode/machine-provider.ts'
import { refuseReplayed } from '../../run/refuse-replayed.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import type { StateSession } from '../../run/state-session.ts'
import { locateFindings } from '../../spec/yaml/locate-findings.ts'

export interface DestroyInput {
  readonly file: ClusterFile
  /** Shown exactly what will be deleted; false ends the run without a change. */
  readonly confirm: (plan: Plan) => Promise<boolean>
  /** Leaves the firewall open for this run: steps of its job may be at work, and a later step closes it. */
  readonly keepRule?: boolean
}

export interface DestroyResult {
  readonly plan: Plan
  readonly destroyed: boolean
  /** What stays on purpose: volumes under the policy `keep`, by name. */
  readonly kept: readonly string[]
}

const destroying = { title: 'a destroy', begun: ['destroy-started'], finished: [] } as const

/**
 * How often what is there is deleted: the cluster's own controllers may recreate a load balancer as
 * long as one of them runs.
 */
const mostPasses = 3

/**
 * Deletes exactly what is the cluster's, in the order of dependence, and then its state; looks again
 * and proves that nothing is left over. Everything is looked at before the first delete: what is protected,
 * and who else is in the network, stops it. Killed and run again, it goes on. Throws `cluster-unknown` when
 * there is no such cluster, `plan-refused`, `leftovers` when something would not go.
 */
export async function destroyInMode<S extends StateSession, V extends KnownCluster>(
  mode: ClusterLifecycle<S, V>,
  context: RunContext,
  input: DestroyInput,
): Promise<DestroyResult> {
  const { machines } = mode
  const { keepRule = false } = input
  await using session = await mode.open(context, input.file)
  await lockCluster(context, session)
  const { spec, store } = session
  const { progress } = context
  const view = await findCluster(mode, session)
  refuseReplayed(context, view.generation.journal, destroying)
  const removal = await machines.findRemoval(context, session, view)
  const { plan, kept } = removal
  refuseErrors('plan-refused', locateFindings(input.file.text, plan.findings), input.file.path)
  if (!(await input.confirm(plan))) return { plan, destroyed: false, kept }

  await removal.requireRights()
  await store.record({ fact: 'destroy-started' })
  await machines.anchor(session, view)
  await removal.release({ keepRule })
  let left = plan.changes
  for (let pass = 1; left.length > 0; pass++) {
    if (pass > mostPasses) throw leftovers(left, removal)
    await deleteAll(left, removal, progress)
    left = await runPhase(progress, 'See that nothing is left over', () => removal.left())
  }
  await store.remove(`Destroy the cluster ${spec.clusterName}`)
  return { plan, destroyed: true, kept }
}

async function findCluster<S extends StateSession, V extends KnownCluster>(
  { machines }: ClusterLifecycle<S, V>,
  session: S,
): Promise<RecordedView<V>> {
  // Stops hard where resources claim the name and the branch knows nothing of them.
  const view = await machines.observe(session)
  if (view.generation) return { ...view, generation: view.generation }
  throw clusterUnknown(session.spec, 'destroy')
}

async function deleteAll(
  changes: readonly Change[],
  removal: Removal,
  progress: Progress,
): Promise<void> {
  const { title, kinds } = removal
  const each = (change: Change, shown: PhaseProgress) => {
    const name = change.before?.name ?? change.key
    return removal.remove(change, (step) => shown.step(`${name}: ${step}`))
  }
  await runPlan(changes, [{ title, kinds, run: { each } }], progress)
}

function leftovers(left: readonly Change[], { hint }: Removal): ClusterError {
  return new ClusterError('leftovers', `still there: ${left.map(({ key }) => key).join(', ')}`, {
    operation: 'destroy',
    hint,
  })
}
