import { type ClusterRecord, kindTraits } from '../../plan/record.ts'
import type { ClusterView } from './cluster-view.ts'

/** What Hetzner gives an address until somebody gives it another name. */
const defaultReverseDns = /^(static\.|$)/

/**
 * What somebody set on our resources that the cluster file has no setting for: protection, backups, reverse DNS,
 * another public address. It is named, and stays.
 */
export function describeExtras({ hetzner, generation }: ClusterView): string[] {
  const addresses = new Map(
    generation?.inventory.nodes.map(({ name, publicIp }) => [name, publicIp]),
  )
  return hetzner.records.flatMap((record) => {
    const found = [
      ...extrasOf(record),
      ...(record.kind === 'server' ? movedAddress(record, addresses.get(record.name)) : []),
    ]
    if (found.length === 0) return []
    return [
      `${kindTraits[record.kind].words} ${record.name}: set by hand and kept: ${found.join(', ')}`,
    ]
  })
}

function extrasOf({ facts = {} }: ClusterRecord): string[] {
  const { deleteProtected, backups, reverseDns } = facts
  const isNamed = typeof reverseDns === 'string' && !defaultReverseDns.test(reverseDns)
  return [
    ...(deleteProtected === true ? ['delete protection'] : []),
    ...(backups === true ? ['backups'] : []),
    ...(isNamed ? [`reverse DNS ${reverseDns}`] : []),
  ]
}

function movedAddress({ facts = {} }: ClusterRecord, known: string | undefined): string[] {
  const { publicIp } = facts
  if (known === undefined || typeof publicIp !== 'string' || publicIp === known) return []
  return [`the public address ${publicIp} (it was ${known})`]
}
