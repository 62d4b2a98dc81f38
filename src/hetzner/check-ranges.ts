import { cidrHasAddress, cidrsOverlap, parseCidr } from '../lib/cidr.ts'
import type { Finding } from '../lib/finding.ts'
import type { ClusterRecord } from '../plan/record.ts'
import type { ClusterSpec } from '../spec/cluster-spec.ts'
import { networkSpecSchema } from './kinds/network/network-record.ts'

/**
 * Ranges that cannot be changed any more: nodes keep their addresses for life, and Hetzner changes no
 * subnet. A plan that asked for it would be refused by Hetzner halfway. Pure.
 */
export function checkRanges(
  spec: ClusterSpec,
  desired: readonly ClusterRecord[],
  live: readonly ClusterRecord[],
): Finding[] {
  const network = live.find(({ kind, name }) => kind === 'network' && name === spec.clusterName)
  const subnets = network ? Object.keys(networkSpecSchema.parse(network.spec).subnets) : []
  const outside = checkNodeRange(spec, desired, subnets)
  return outside.length > 0 ? outside : checkSubnets(spec, subnets)
}

function checkNodeRange(
  { network: { nodeRange } }: ClusterSpec,
  desired: readonly ClusterRecord[],
  subnets: readonly string[],
): Finding[] {
  const [first, ...others] = desired.flatMap(({ kind, name, spec }) => {
    const address = String(spec['privateIp'])
    return kind === 'server' && !holds(nodeRange, address) ? [{ name, address }] : []
  })
  if (!first) return []
  const former = subnets.find((range) => holds(range, first.address))
  const more = others.length === 0 ? '' : `, and ${others.length} more nodes have theirs elsewhere`
  return [
    {
      severity: 'error',
      path: ['network', 'nodeRange'],
      message: `${first.name} has the address ${first.address}, which is not in ${nodeRange}${more}: nodes keep their addresses for life`,
      hint:
        former === undefined
          ? 'Keep network.nodeRange as it was.'
          : `Keep network.nodeRange as it was: ${former}.`,
    },
  ]
}

function checkSubnets(
  { network: { nodeRange, loadBalancerRange } }: ClusterSpec,
  subnets: readonly string[],
): Finding[] {
  const wanted = { nodeRange, loadBalancerRange }
  return Object.entries(wanted).flatMap(([field, range]) => {
    if (subnets.includes(range)) return []
    const other = subnets.find((subnet) => overlap(subnet, range))
    if (other === undefined) return []
    return [
      {
        severity: 'error',
        path: ['network', field],
        message: `Hetzner cannot add the subnet ${range}: the network has ${other}, which overlaps with it and cannot be changed`,
        hint: `Keep network.${field} as it was, or choose a range that is free.`,
      },
    ]
  })
}

function holds(range: string, address: string): boolean {
  const parsed = parseCidr(range)
  return parsed !== undefined && cidrHasAddress(parsed, address)
}

function overlap(one: string, other: string): boolean {
  const [a, b] = [parseCidr(one), parseCidr(other)]
  return a !== undefined && b !== undefined && cidrsOverlap(a, b)
}
