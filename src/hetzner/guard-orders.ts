import type { Finding } from '../lib/finding.ts'
import type { Change } from '../plan/change.ts'
import type { ClusterSpec } from '../spec/cluster-spec.ts'

/** Whether a server can be ordered now: the answer of the live catalogue. */
export type Orderable = (
  type: string,
  location: string,
) => { orderable: true } | { orderable: false; reason: string; instead: string | undefined }

/**
 * What Hetzner forbids of these changes, however much the file asks for them: an apply never takes the network from
 * under its nodes, and never orders what cannot be had. Nothing may be found out halfway. Pure.
 */
export function guardOrders(
  spec: ClusterSpec,
  changes: readonly Change[],
  orderable: Orderable,
): Finding[] {
  return changes.flatMap((change) => [
    ...guardNetwork(change),
    ...guardOrder(spec, change, orderable),
  ])
}

/** A network that is deleted lets go of every server in it, and nothing would attach them to a new one. */
function guardNetwork({ action, before }: Change): Finding[] {
  if (before?.kind !== 'network' || (action !== 'delete' && action !== 'replace')) return []
  return [
    {
      severity: 'error',
      path: ['network'],
      message: `${action} of the network ${before.name} would cut every node off, which this version does not do`,
      hint: 'Keep network.cidr, hetzner.networkZone and hetzner.network as they are; a cidr may only grow from the same first address.',
    },
  ]
}

function guardOrder(spec: ClusterSpec, change: Change, orderable: Orderable): Finding[] {
  const record = change.after
  if (record?.kind !== 'server' || (change.action !== 'create' && change.action !== 'replace')) {
    return []
  }
  const type = String(record.spec['serverType'])
  const location = String(record.spec['location'])
  const answer = orderable(type, location)
  if (answer.orderable) return []
  const pool = String(record.spec['pool'])
  const index = spec.workers.findIndex(({ name }) => name === pool)
  return [
    {
      severity: 'error',
      path:
        pool === spec.controlPlane.name
          ? ['nodes', 'controlPlane', 'type']
          : ['nodes', 'workers', index, 'type'],
      message: `no new server of ${pool} can be created: ${answer.reason}`,
      ...(answer.instead === undefined ? {} : { hint: `Take ${answer.instead}.` }),
    },
  ]
}
