import { cidrHasAddress, cidrsOverlap, parseCidr } from '../lib/cidr.ts'
import type { Finding } from '../lib/finding.ts'
import { type ClusterRecord, recordKey } from '../plan/record.ts'
import type { ClusterSpec } from '../spec/cluster-spec.ts'
import { describeMember } from './network-members.ts'
import type { HetznerLive } from './observe.ts'
import { ownMembers, type Route } from './surroundings.ts'

/** Hetzner's limits, whoever's the members are. */
const serversPerNetwork = 100
const routesPerNetwork = 100
const serversPerGroup = 10

type Live = Pick<HetznerLive, 'ids' | 'records' | 'surroundings'>

/**
 * What others have where the cluster would put something: addresses, places in the network and in
 * placement groups, routes. Hetzner would refuse it halfway. Pure.
 */
export function checkSurroundings(
  spec: ClusterSpec,
  desired: readonly ClusterRecord[],
  live: Live,
): Finding[] {
  return [
    ...checkAddresses(desired, live),
    ...checkMembers(desired, live),
    ...checkRoutes(spec, desired, live),
    ...checkGroups(desired, live),
  ]
}

function checkAddresses(desired: readonly ClusterRecord[], live: Live): Finding[] {
  const isOwn = ownMembers(live.ids)
  return desired.flatMap((record) => {
    if (record.kind !== 'server' && record.kind !== 'load-balancer') return []
    const address = String(record.spec['privateIp'])
    const holder = live.surroundings.members.find(
      (member) => !isOwn(member) && member.addresses.includes(address),
    )
    if (!holder) return []
    const range = record.kind === 'server' ? 'nodeRange' : 'loadBalancerRange'
    return [
      error(
        ['network', range],
        `the address ${address} of ${record.name} is held by the ${describeMember(holder)}`,
        `Detach it from the network, or choose another network.${range}.`,
      ),
    ]
  })
}

function checkMembers(desired: readonly ClusterRecord[], live: Live): Finding[] {
  const isOwn = ownMembers(live.ids)
  const foreign = live.surroundings.members.filter(
    (member) => member.kind === 'server' && !isOwn(member),
  ).length
  if (foreign === 0) return []
  // Those that go are still there while others come.
  const own = new Set([...desired, ...live.records].filter(isServer).map(recordKey)).size
  if (foreign + own <= serversPerNetwork) return []
  return [
    error(
      ['nodes'],
      `${own} nodes do not fit into the network beside ${foreign} servers that are not this cluster's: Hetzner attaches ${serversPerNetwork} at most`,
      'Use fewer and larger nodes, or a network of its own.',
    ),
  ]
}

function checkRoutes(spec: ClusterSpec, desired: readonly ClusterRecord[], live: Live): Finding[] {
  const pods = parseCidr(spec.network.podRange)
  const foreign = foreignRoutes(spec, live)
  // Without the cloud controller manager no route leads to pods, and none would be changed.
  const severity = spec.addons.hcloudCcm.enabled ? 'error' : 'warning'
  const overlapping = foreign.flatMap(({ destination, gateway }): Finding[] => {
    const range = parseCidr(destination)
    const isDefault = destination === '0.0.0.0/0'
    if (!pods || !range || isDefault || !cidrsOverlap(pods, range)) return []
    return [
      {
        ...error(
          ['network', 'podRange'],
          `the network has a route to ${destination} by ${gateway}, which is not this cluster's and lies over the pods' ${spec.network.podRange}`,
          'Remove the route, or choose another network.podRange.',
        ),
        severity,
      },
    ]
  })
  const nodes = desired.filter(isServer).length
  const isFull = severity === 'error' && foreign.length + nodes > routesPerNetwork
  return [
    ...overlapping,
    ...(isFull && foreign.length > 0
      ? [
          error(
            ['nodes'],
            `the network has ${foreign.length} routes of others, and each of ${nodes} nodes needs one: Hetzner allows ${routesPerNetwork}`,
            'Use fewer and larger nodes, or a network of its own.',
          ),
        ]
      : []),
  ]
}

/** Those of nodes lead to addresses of the node range; one that is left of a node that went is still ours. */
function foreignRoutes({ network }: ClusterSpec, live: Live): readonly Route[] {
  const nodes = parseCidr(network.nodeRange)
  const isOwn = ownMembers(live.ids)
  const { members, routes } = live.surroundings
  return routes.filter(({ gateway }) => {
    const holder = members.find(({ addresses }) => addresses.includes(gateway))
    if (holder) return !isOwn(holder)
    return nodes === undefined || !cidrHasAddress(nodes, gateway)
  })
}

function checkGroups(desired: readonly ClusterRecord[], live: Live): Finding[] {
  const own = new Set(live.records.filter(isServer).flatMap(({ facts }) => facts?.['id'] ?? []))
  const wanted = new Map<string, number>()
  for (const { spec } of desired.filter(isServer)) {
    const group = spec['placementGroup']
    if (typeof group === 'string') wanted.set(group, (wanted.get(group) ?? 0) + 1)
  }
  return [...wanted].flatMap(([name, count]) => {
    const id = live.ids.get(`placement-group/${name}`)
    const servers = (id === undefined ? undefined : live.surroundings.groups.get(id)) ?? []
    const foreign = servers.filter((server) => !own.has(server))
    if (foreign.length === 0 || foreign.length + count <= serversPerGroup) return []
    return [
      error(
        ['nodes'],
        `${count} nodes do not fit into the placement group ${name} (id ${id}) beside ${foreign.length} servers that are not this cluster's (${foreign.join(', ')}): Hetzner allows ${serversPerGroup}`,
        'Take those servers out of the placement group in the Hetzner console.',
      ),
    ]
  })
}

function isServer({ kind }: ClusterRecord): boolean {
  return kind === 'server'
}

function error(path: Finding['path'], message: string, hint: string): Finding {
  return { severity: 'error', path, message, hint }
}
