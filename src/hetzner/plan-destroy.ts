import type { Change, Risk } from '../plan/change.ts'
import { type ClusterRecord, type RecordKind, recordKey } from '../plan/record.ts'
import { orderDeletes } from './diff.ts'
import type { HetznerLeftovers } from './observe-destroy.ts'

const risks: Partial<Record<RecordKind, Risk>> = {
  server: 'data-loss',
  volume: 'data-loss',
  network: 'data-loss',
  'load-balancer': 'quorum',
}

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
): Change[] {
  const kept = new Set<RecordKind>([
    ...(volumes === 'keep' ? (['volume'] as const) : []),
    ...(network === 'keep' ? (['network'] as const) : []),
  ])
  const doomed = records.filter(({ kind }) => !kept.has(kind))
  return orderDeletes(doomed.map(toDelete))
}

/** The cluster's volumes that a destroy under this policy leaves behind. */
export function keptVolumes(
  { records }: Pick<HetznerLeftovers, 'records'>,
  { volumes }: { readonly volumes: 'keep' | 'delete' },
): ClusterRecord[] {
  return volumes === 'keep' ? records.filter(({ kind }) => kind === 'volume') : []
}

function toDelete(record: ClusterRecord): Change {
  return {
    key: recordKey(record),
    action: 'delete',
    before: record,
    after: undefined,
    fields: [],
    reason: reasonOf(record),
    risk: risks[record.kind] ?? 'live',
    needs: record.needs,
  }
}

function reasonOf({ kind, facts }: ClusterRecord): string {
  if (kind === 'volume') return 'the cluster is destroyed, and policy.onDestroyVolumes is delete'
  return facts?.['origin'] === 'controller'
    ? 'made by the cluster for one of its Services'
    : 'the cluster is destroyed'
}
