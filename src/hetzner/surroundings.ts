import type { RecordKey } from '../plan/record.ts'
import type { ApiLoadBalancer } from './api/load-balancers.ts'
import type { ApiNetwork } from './api/networks.ts'
import type { ApiPlacementGroup } from './api/placement-groups.ts'
import type { ApiServer } from './api/servers.ts'
import { type NetworkMember, networkMembers } from './network-members.ts'

export interface Route {
  readonly destination: string
  readonly gateway: string
}

/** What others have in the places that a cluster uses: seen before anything is created there. */
export interface Surroundings {
  /** Who is in the network of the cluster, own or lent, whoever's they are. */
  readonly members: readonly NetworkMember[]
  /** The routes of that network. */
  readonly routes: readonly Route[]
  /** By the id of a placement group: the servers in it. */
  readonly groups: ReadonlyMap<number, readonly number[]>
}

/** Takes lists of everything in the project; `networkId` is the network of the cluster, where there is one. */
export function surroundingsOf(
  lists: {
    readonly servers: readonly ApiServer[]
    readonly loadBalancers: readonly ApiLoadBalancer[]
    readonly networks: readonly ApiNetwork[]
    readonly placementGroups: readonly ApiPlacementGroup[]
  },
  networkId: number | undefined,
): Surroundings {
  const network = lists.networks.find(({ id }) => id === networkId)
  return {
    members: network === undefined ? [] : networkMembers(network.id, lists),
    routes: network?.routes ?? [],
    groups: new Map(lists.placementGroups.map(({ id, servers }) => [id, servers ?? []])),
  }
}

/** Whether a member is the cluster's, by the ids of its records. */
export function ownMembers(
  ids: ReadonlyMap<RecordKey, number>,
): (member: NetworkMember) => boolean {
  const own = new Set([...ids].map(([key, id]) => `${key.slice(0, key.indexOf('/'))}/${id}`))
  return ({ kind, id }) => own.has(`${kind}/${id}`)
}

/** The addresses in the network that others have: no new node gets one of them. */
export function foreignAddresses(
  { members }: Surroundings,
  ids: ReadonlyMap<RecordKey, number>,
): string[] {
  const isOwn = ownMembers(ids)
  return members.filter((member) => !isOwn(member)).flatMap(({ addresses }) => addresses)
}
