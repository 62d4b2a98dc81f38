import type { Change } from '../plan/change.ts'
import { type ClusterRecord, recordKey } from '../plan/record.ts'
import { orderDeletes } from './diff.ts'
import type { HetznerKind } from './kinds/hetzner-kind.ts'
import { type HetznerKindTable, hetznerKinds, kindOf } from './kinds/hetzner-kinds.ts'
import type { HetznerLeftovers } from './observe-destroy.ts'

/**
 * The deletes that leave nothing of the cluster behind, each needing what must go before it: load
 * balancers and servers first, then volumes, firewalls, placement groups, keys and the network.
 * Volumes and the network stay where the policy says `keep`. Snapshots stay: other clusters use them too. Pure.
 */
export function planDestroyHetzner(
  { records }: Pick<HetznerLeftovers, 'records'>,
  {
    volumes,
    network = 'delete',
  }: { readonly volumes: 'keep' | 'delete'; readonly network?: 'keep' | 'delete' | undefined },
  kinds: HetznerKindTable = hetznerKinds,
): Change[] {
  const policy = { volumes, network }
  const leaving = records.filter((record) => !kindOf(record, kinds).destroy.isKept(policy))
  return orderDeletes(leaving.map((record) => toDelete(record, kindOf(record, kinds))))
}

/** The cluster's volumes that a destroy under this policy leaves behind. */
export function keptVolumes(
  { records }: Pick<HetznerLeftovers, 'records'>,
  { volumes }: { readonly volumes: 'keep' | 'delete' },
): ClusterRecord[] {
  return volumes === 'keep' ? records.filter(({ kind }) => kind === 'volume') : []
}

function toDelete(record: ClusterRecord, { destroy }: HetznerKind): Change {
  return {
    key: recordKey(record),
    action: 'delete',
    before: record,
    after: undefined,
    fields: [],
    reason: destroy.reason(record),
    risk: destroy.risk,
    needs: record.needs,
  }
}
