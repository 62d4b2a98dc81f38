import type { Finding } from '../../lib/finding.ts'
import type { Change } from '../../plan/change.ts'
import { makePlan, type Plan } from '../../plan/plan.ts'
import type { ClusterRecord } from '../../plan/record.ts'
import type { ClusterView } from './cluster-view.ts'
import { compareCluster, isOwn } from './compare-cluster.ts'
import { guardCluster } from './guard-cluster.ts'
import { guardContractInUpgrade } from './guard-contract.ts'

/**
 * What the upgrade button would do, in this order: every node that runs another Talos version or image
 * than the spec asks for, and every component of Kubernetes that is of another version. What else differs
 * waits for an apply. Steps that Talos or Kubernetes do not allow are errors among the findings.
 */
export function planUpgrade(view: ClusterView, options: { readonly now: number }): Plan {
  const { changes: others, versions, desired, live } = compareCluster(view)
  const { changes, findings, downgrades } = versions
  return makePlan({
    clusterName: view.spec.clusterName,
    verb: 'upgrade',
    changes,
    waiting: others,
    desired,
    live: live.filter(isOwn),
    uid: view.generation?.inventory.uid,
    findings: [
      ...downgrades,
      ...findings,
      ...requireApplied(changes, others),
      ...requirePower(changes, live),
      ...guardContractInUpgrade(view, changes),
      ...guardCluster(view, changes, options),
    ],
  })
}

/** A node that is off never comes to be healthy: an upgrade would wait for it, and find out in the end. */
function requirePower(changes: readonly Change[], live: readonly ClusterRecord[]): Finding[] {
  if (changes.length === 0) return []
  return live
    .filter(({ kind, spec }) => kind === 'server' && spec['power'] === 'off')
    .map(({ name }) => ({
      severity: 'error',
      path: ['nodes'],
      message: `the server of ${name} is off, as Hetzner reports: no node is upgraded while one is away`,
      hint: `Start it with \`hcloud-talos apply\`, or replace it with \`hcloud-talos apply --replace ${name}\`; then upgrade.`,
    }))
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
      message: `the rest of the file must be applied before Kubernetes is upgraded: ${first.key}${more}`,
      hint: 'Apply first, then upgrade.',
    },
  ]
}
