import { requireWrite } from '../../hetzner/require-write.ts'
import type { Plan } from '../../plan/plan.ts'
import type { ApplyStage } from '../../planner/apply-stages.ts'
import type { ClusterView } from '../../planner/hetzner-talos/cluster-view.ts'
import { secretsPath } from '../../store/files/layout.ts'
import { identityMissing } from '../../store/trust/identity.ts'
import type { RunContext } from '../run-context.ts'
import type { ClusterSession } from './cluster-session.ts'
import { requireClock } from './require-clock.ts'

export interface RightsOptions {
  readonly plan: Plan
  readonly stage?: ApplyStage | undefined
}

/**
 * Sees before the first change that the run can do all of what it is about to do: that its clock is right, its identity
 * opens the cluster's secrets, or is there at all when they are to be minted, and that its token may
 * write. A run that finds out half way leaves half a cluster. Throws `identity-missing`,
 * `state-undecryptable`, `state-corrupt`, `token-read-only`, `clock-wrong`.
 */
export async function requireRights(
  context: RunContext,
  { store, hetzner, spec: { clusterName } }: ClusterSession,
  { generation }: ClusterView,
  options: RightsOptions,
): Promise<void> {
  requireClock(context, hetzner)
  if (needsSecrets(options)) {
    if (generation?.hasSecrets) await store.readSecrets()
    else if (context.state.identity === undefined)
      throw identityMissing(`${clusterName}/${secretsPath}`)
  }
  if (!generation || options.plan.changes.length > 0) await requireWrite(hetzner)
}

/** All but the infrastructure reaches into the nodes; that too where it mints, or takes nodes away. */
function needsSecrets({ plan, stage }: RightsOptions): boolean {
  if (stage !== 'infra') return true
  return plan.changes.some(
    ({ key, action }) => key.startsWith('secrets/') || action === 'replace' || action === 'delete',
  )
}
