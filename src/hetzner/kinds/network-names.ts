import { type NetworkNames, networkNames } from '../records/record-parts.ts'
import type { Look } from './hetzner-kind.ts'

/** The project's networks by id, for what is attached to them. */
export function clusterNetworkNames({ found, network }: Look): NetworkNames {
  const { all, own } = found.of('network')
  return networkNames(all, own, network)
}
