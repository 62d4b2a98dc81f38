import type { Finding } from '../lib/finding.ts'
import type { Change } from '../plan/change.ts'
import { makePlan, type Plan } from '../plan/plan.ts'
import { compareCluster, isOwn } from './compare-cluster.ts'
import { guardCluster } from './guard-cluster.ts'
import type { ClusterView } from './observe-cluster.ts'

/**
 * What the upgrade button would do, in this order: every node that runs another Talos version or image
 * than the spec asks for, and every component of Kubernetes that is of another version. What else differs
 * waits for an apply. Steps that Talos or Kubernetes do not allow are errors among the findings.
 */
export function planUpgrade(view: ClusterView, options: { readonly now: number }): Plan {
  const { changes: others, versions, desired, live } = compareCluster(view)
  const { changes, findings } = versions
  return makePlan({
    clusterName: view.spec.clusterName,
    verb: 'upgrade',
    changes,
    waiting: others,
    desired,
    live: live.filter(isOwn),
    uid: view.generation?.inventory.uid,
    findings: [
      ...findings,
      ...requireApplied(changes, others),
      ...guardCluster(view, changes, options),
    ],
  })
}

/**
 * An upgrade of Kubernetes changes nothing in a node's config but versions, without a reboot; and addons
 * must know the new version before it is there. Both ask for the rest of the file to be applied.
 */
function requireApplied(changes: readonly Change[], others: readonly Change[]): Finding[] {
  if (!changes.some(({ after }) => after?.kind === 'kubernetes' || after?.kind === 'kubelet'))
    return []
  const waiting = others.filter(
    ({ action, after, before }) =>
      (after ?? before)?.kind === 'addon' || (action === 'update' && after?.kind === 'node'),
  )
  const [first] = waiting
  if (first === undefined) return []
  const more = waiting.length > 1 ? ` and ${waiting.length - 1} more` : ''
  return [
    {
      severity: 'error',
      path: ['kubernetes', 'version'],
      message: `before Kubernetes is upgraded the rest of the file must be applied: ${first.key}${more}`,
      hint: 'apply first, then upgrade',
    },
  ]
}
