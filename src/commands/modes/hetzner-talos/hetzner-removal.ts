import { releaseLoadBalancers } from '../../../engine/hetzner-talos/release-load-balancers.ts'
import { createApplyContext } from '../../../hetzner/apply/apply-context.ts'
import { applyHetznerChange } from '../../../hetzner/apply.ts'
import { kindNames } from '../../../hetzner/kinds/hetzner-kinds.ts'
import { knownResources } from '../../../hetzner/known-resources.ts'
import { type HetznerLeftovers, observeDestroy } from '../../../hetzner/observe-destroy.ts'
import { observeRemains } from '../../../hetzner/observe-remains.ts'
import type { ClusterIdentity } from '../../../hetzner/ownership.ts'
import { keptVolumes, planDestroyHetzner } from '../../../hetzner/plan-destroy.ts'
import { requireWrite } from '../../../hetzner/require-write.ts'
import type { Finding } from '../../../lib/finding.ts'
import { makePlan, type Plan } from '../../../plan/plan.ts'
import { recordKey } from '../../../plan/record.ts'
import type { ClusterView } from '../../../planner/hetzner-talos/cluster-view.ts'
import { describeRemains } from '../../../planner/hetzner-talos/describe-remains.ts'
import { guardProtection } from '../../../planner/hetzner-talos/guard-protection.ts'
import type { ClusterSession } from '../../../run/hetzner-talos/cluster-session.ts'
import type { RecordedView, Removal } from '../../../run/mode/machine-provider.ts'
import type { RunContext } from '../../../run/run-context.ts'
import { runPhase } from '../../../run/run-phase.ts'
import type { ClusterSpec } from '../../../spec/cluster-spec.ts'

/** Everything of a cluster that is at Hetzner, how its own controllers release theirs, and how it is deleted. */
export async function hetznerRemoval(
  context: RunContext,
  session: ClusterSession,
  view: RecordedView<ClusterView>,
): Promise<Removal> {
  const { spec, hetzner } = session
  const identity = { clusterName: spec.clusterName, uid: view.generation.inventory.uid }
  const known = knownResources(view.generation.inventory)
  const options = { identity, known, network: spec.hetzner.network }
  const found = await runPhase(context.progress, 'Look at what is there', () =>
    observeDestroy(hetzner, options),
  )
  const remains = await observeRemains(hetzner, {
    uid: identity.uid,
    records: found.records,
    network: spec.hetzner.network,
    lentNetwork: known.lentNetwork,
  })
  const plan = planDestroy(spec, identity, found, describeRemains(spec, found, remains))
  const kept = keptVolumes(found, { volumes: spec.policy.onDestroyVolumes })
  const executor = createApplyContext(hetzner, {
    identity,
    spec,
    live: view.hetzner,
    liveImages: [],
  })
  return {
    plan,
    kept: kept.map(({ name }) => name),
    title: 'Delete Hetzner resources',
    kinds: kindNames(),
    hint: 'Run destroy again in a few minutes: Hetzner releases some resources late.',
    requireRights: () => requireWrite(hetzner),
    release: ({ keepRule }) => releaseLoadBalancers(context, session, { view, found, keepRule }),
    async remove(change, step) {
      await applyHetznerChange(change, executor, step)
    },
    async left() {
      return planDestroy(spec, identity, await observeDestroy(hetzner, options), []).changes
    },
  }
}

function planDestroy(
  spec: ClusterSpec,
  { uid }: ClusterIdentity,
  found: HetznerLeftovers,
  remains: readonly Finding[],
): Plan {
  const { onDestroyVolumes: volumes, onDestroyNetwork: network } = spec.policy
  const changes = planDestroyHetzner(found, { volumes, network })
  const toDelete = new Set<string>(changes.map(({ key }) => key))
  return makePlan({
    clusterName: spec.clusterName,
    verb: 'destroy',
    changes,
    desired: found.records.filter((record) => !toDelete.has(recordKey(record))),
    live: found.records,
    findings: [...guardProtection(changes), ...remains],
    uid,
  })
}
