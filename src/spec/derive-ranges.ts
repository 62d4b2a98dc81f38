import { type Cidr, cidrSize, cidrSubnet, formatCidr, parseCidr } from '../lib/cidr.ts'
import type { ClusterSpec } from './cluster-spec.ts'
import type { ClusterFile } from './schema/schema.ts'

export type RangeName = 'nodeRange' | 'podRange' | 'serviceRange' | 'loadBalancerRange'

export const rangeNames: readonly RangeName[] = [
  'nodeRange',
  'podRange',
  'serviceRange',
  'loadBalancerRange',
]

/** Hetzner takes no network smaller than this; what is derived from a smaller one would be of no use. */
export const longestNetworkPrefix = 24

const defaultNetwork: Cidr = { first: 10 * 2 ** 24, prefix: 16 }

/**
 * The four ranges within a network of /24 or larger; they never overlap. For 10.0.0.0/16: load
 * balancers 10.0.32.0/24, nodes 10.0.64.0/19, services 10.0.96.0/19, pods 10.0.128.0/17. The first
 * eighth stays free: its first address is Hetzner's gateway.
 */
export function deriveRanges(network: Cidr): Record<RangeName, Cidr> {
  // The API server takes no service range larger than /12.
  const serviceBits = Math.max(3, 12 - network.prefix)
  return {
    loadBalancerRange: {
      first: network.first + cidrSize(network) / 8,
      prefix: Math.max(network.prefix + 3, 24),
    },
    nodeRange: cidrSubnet(network, 3, 2),
    serviceRange: cidrSubnet(network, serviceBits, 3 * 2 ** (serviceBits - 3)),
    podRange: cidrSubnet(network, 1, 1),
  }
}

/** The ranges of a file: those that it gives, and for the others those that its network gives. */
export function resolveNetwork(file: ClusterFile['network']): ClusterSpec['network'] {
  const network = parseCidr(file.cidr)
  const usable =
    network !== undefined && network.prefix <= longestNetworkPrefix ? network : defaultNetwork
  const derived = deriveRanges(usable)
  return {
    cidr: file.cidr,
    nodeRange: file.nodeRange ?? formatCidr(derived.nodeRange),
    podRange: file.podRange ?? formatCidr(derived.podRange),
    serviceRange: file.serviceRange ?? formatCidr(derived.serviceRange),
    loadBalancerRange: file.loadBalancerRange ?? formatCidr(derived.loadBalancerRange),
    dnsDomain: file.dnsDomain,
  }
}
