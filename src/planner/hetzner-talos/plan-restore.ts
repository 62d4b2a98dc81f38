import { kindNames } from '../../hetzner/kinds/hetzner-kinds.ts'
import type { Change } from '../../plan/change.ts'
import type { RecordKind } from '../../plan/record.ts'
import type { EtcdCondition } from '../../talos/etcd/judge-etcd.ts'
import type { ClusterView } from './cluster-view.ts'
import { compareCluster } from './compare-cluster.ts'

/** What etcd stands on: all that Hetzner has, and the nodes themselves; the secrets are kept. */
const made = new Set<RecordKind>([...kindNames(), 'node'])

/**
 * What of a cluster must be recreated before its etcd can be: everything that is missing and was there.
 * Nodes that the file asks for and that never were, and everything that only differs, wait for an apply.
 */
export function missingParts(view: ClusterView): readonly Change[] {
  const known = new Set(view.generation?.inventory.nodes.map(({ name }) => name))
  return compareCluster(view).changes.filter(({ action, after }) => {
    // A node whose server is gone is one that is replaced; of anything else that is not missing itself.
    const isMissing = action === 'create' || (action === 'replace' && after?.kind === 'node')
    if (!isMissing || !after || !made.has(after.kind)) return false
    return (after.kind !== 'server' && after.kind !== 'node') || known.has(after.name)
  })
}

/** A control plane of the cluster, as far as it could be asked. */
export interface JudgedNode {
  readonly name: string
  readonly condition: EtcdCondition | 'maintenance' | 'unreachable'
}
