import type { Finding } from '../../lib/finding.ts'
import { type Change, changedPart } from '../../plan/change.ts'
import { makePlan, type Plan } from '../../plan/plan.ts'
import { checkHostVersions } from './check-host-versions.ts'
import { compareHosts } from './compare-hosts.ts'
import { guardHosts } from './guard-hosts.ts'
import { hostsFinding } from './hosts-finding.ts'
import type { HostsView } from './hosts-view.ts'

/**
 * What the upgrade button would do, in one line: containerd node by node, Kubernetes by one minor on the control planes,
 * then the kubelets. What else differs waits for an apply. Pure.
 */
export function planUpgrade(view: HostsView, options: { readonly now: number }): Plan {
  // It renews all certificates by itself.
  const { changes: others, versions, desired, live } = compareHosts(view)
  const { downgrades, jumps } = checkHostVersions(view, versions)
  return makePlan({
    clusterName: view.spec.clusterName,
    verb: 'upgrade',
    changes: versions,
    waiting: others,
    desired,
    live,
    uid: view.generation?.inventory.uid,
    findings: [
      ...downgrades,
      ...jumps,
      ...requireApplied(versions, others),
      ...requireReached(view, versions),
      ...guardHosts(view, versions, options),
    ],
  })
}

/** kubeadm judges the cluster as a whole: no node is upgraded while one is away. */
function requireReached(view: HostsView, versions: readonly Change[]): Finding[] {
  if (versions.length === 0) return []
  return view.spec.hosts
    .filter(({ name }) => view.hosts.get(name)?.kind !== 'seen')
    .map(({ name }) =>
      hostsFinding(
        'error',
        `${name} is not reached: no node is upgraded while one is away`,
        'Bring it back; where it is gone for good, remove it from hosts and apply. Then upgrade.',
      ),
    )
}

/** An upgrade changes versions alone, and an addon must know the new Kubernetes before it is there. */
function requireApplied(versions: readonly Change[], others: readonly Change[]): Finding[] {
  if (versions.length === 0) return []
  const waiting = others.filter((change) => {
    const kind = (change.after ?? change.before)?.kind
    const isNodes = changedPart(change) === 'node' || changedPart(change) === 'etcd'
    return isNodes || kind === 'addon' || kind === 'kubernetes'
  })
  const [first] = waiting
  if (first === undefined) return []
  const more = waiting.length > 1 ? ` and ${waiting.length - 1} more` : ''
  return [
    {
      severity: 'error',
      path: ['kubernetes', 'version'],
      message: `the rest of the file must be applied before versions are upgraded: ${first.key}${more}`,
      hint: 'Apply first, then upgrade.',
    },
  ]
}
