import { releaseLoadBalancers } from '../../engine/release-load-balancers.ts'
import { type PlanPhase, runPlan } from '../../engine/run-plan.ts'
import { createApplyContext, type HetznerApplyContext } from '../../hetzner/apply/apply-context.ts'
import { applyHetznerChange } from '../../hetzner/apply.ts'
import { kindsOf } from '../../hetzner/kinds/hetzner-kinds.ts'
import { knownResources } from '../../hetzner/known-resources.ts'
import { type HetznerLeftovers, observeDestroy } from '../../hetzner/observe-destroy.ts'
import { observeRemains } from '../../hetzner/observe-remains.ts'
import type { ClusterIdentity } from '../../hetzner/ownership.ts'
import { keptVolumes, planDestroyHetzner } from '../../hetzner/plan-destroy.ts'
import { requireWrite } from '../../hetzner/require-write.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import type { Finding } from '../../lib/finding.ts'
import { refuseErrors } from '../../lib/findings-error.ts'
import type { Progress } from '../../lib/progress.ts'
import type { Change } from '../../plan/change.ts'
import { guardProtection } from '../../plan/guard-protection.ts'
import { makePlan, type Plan } from '../../plan/plan.ts'
import { recordKey } from '../../plan/record.ts'
import type { ClusterView } from '../../planner/cluster-view.ts'
import { describeRemains } from '../../planner/describe-remains.ts'
import { anchorState } from '../../run/anchor-state.ts'
import {
  type ClusterFile,
  type ClusterSession,
  lockCluster,
  openSession,
} from '../../run/cluster-session.ts'
import { clusterUnknown } from '../../run/cluster-unknown.ts'
import { observeCluster } from '../../run/observe-cluster.ts'
import { refuseReplayed } from '../../run/refuse-replayed.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import { locateFindings } from '../../spec/yaml/locate-findings.ts'
import type { Generation } from '../../store/generation.ts'

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
export async function destroyCluster(
  context: RunContext,
  input: DestroyInput,
): Promise<DestroyResult> {
  const { keepRule = false } = input
  await using session = await openSession(context, input.file)
  await lockCluster(context, session)
  const { spec, store, hetzner } = session
  const { progress } = context
  const view = await findCluster(session)
  refuseReplayed(context, view.generation.journal, destroying)
  const identity = { clusterName: spec.clusterName, uid: view.generation.inventory.uid }
  const known = knownResources(view.generation.inventory)
  const options = { identity, known, network: spec.hetzner.network }
  const found = await runPhase(progress, 'Look at what is there', () =>
    observeDestroy(hetzner, options),
  )
  const remains = await observeRemains(hetzner, {
    uid: identity.uid,
    records: found.records,
    network: spec.hetzner.network,
    lentNetwork: known.lentNetwork,
  })
  const plan = planDestroy(spec, identity, found, describeRemains(spec, found, remains))
  refuseErrors('plan-refused', locateFindings(input.file.text, plan.findings), input.file.path)
  const kept = keptVolumes(found, { volumes: spec.policy.onDestroyVolumes }).map(({ name }) => name)
  if (!(await input.confirm(plan))) return { plan, destroyed: false, kept }

  await requireWrite(hetzner)
  await store.record({ fact: 'destroy-started' })
  await anchorState(session, view)
  await releaseLoadBalancers(context, session, { view, found, keepRule })
  const executor = createApplyContext(hetzner, {
    identity,
    spec,
    live: view.hetzner,
    liveImages: [],
  })
  let left = plan.changes
  for (let pass = 1; left.length > 0; pass++) {
    if (pass > mostPasses) throw leftovers(left)
    await deleteAll(left, executor, progress)
    left = await runPhase(progress, 'See that nothing is left over', async () => {
      return planDestroy(spec, identity, await observeDestroy(hetzner, options), []).changes
    })
  }
  await store.remove(`Destroy the cluster ${spec.clusterName}`)
  return { plan, destroyed: true, kept }
}

async function findCluster({
  spec,
  store,
  hetzner,
}: ClusterSession): Promise<ClusterView & { readonly generation: Generation }> {
  // Stops hard where resources claim the name and the branch knows nothing of them.
  const view = await observeCluster(spec, store, hetzner)
  if (view.generation) return { ...view, generation: view.generation }
  throw clusterUnknown(spec, 'destroy')
}

function planDestroy(
  spec: ClusterSpec,
  { uid }: ClusterIdentity,
  found: HetznerLeftovers,
  remains: readonly Finding[],
): Plan {
  const { onDestroyVolumes: volumes, onDestroyNetwork: network } = spec.policy
  const changes = planDestroyHetzner(found, { volumes, network })
  const doomed = new Set<string>(changes.map(({ key }) => key))
  return makePlan({
    clusterName: spec.clusterName,
    verb: 'destroy',
    changes,
    desired: found.records.filter((record) => !doomed.has(recordKey(record))),
    live: found.records,
    findings: [...guardProtection(changes), ...remains],
    uid,
  })
}

async function deleteAll(
  changes: readonly Change[],
  executor: HetznerApplyContext,
  progress: Progress,
): Promise<void> {
  const phase: PlanPhase = {
    title: 'Delete Hetzner resources',
    kinds: kindsOf(),
    run: {
      each: async (change, shown) => {
        const name = change.before?.name ?? change.key
        await applyHetznerChange(change, executor, (step) => shown.step(`${name}: ${step}`))
      },
    },
  }
  await runPlan(changes, [phase], progress)
}

function leftovers(left: readonly Change[]): ClusterError {
  return new ClusterError('leftovers', `still there: ${left.map(({ key }) => key).join(', ')}`, {
    operation: 'destroy',
    hint: 'Hetzner releases some resources late: run destroy again in a few minutes.',
  })
}
