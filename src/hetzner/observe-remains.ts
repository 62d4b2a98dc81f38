import type { ClusterRecord, RecordKind } from '../plan/record.ts'
import type { HetznerClient } from './api/hetzner-client.ts'
import type { ApiLoadBalancer } from './api/load-balancers.ts'
import type { ApiServer } from './api/servers.ts'
import { type HetznerCatalogue, loadBalancerPrice, roundCents } from './catalogue.ts'
import { isControllerLoadBalancer } from './controller-resources.ts'
import { type HetznerKindTable, hetznerKinds } from './kinds/hetzner-kinds.ts'
import { type LentNetwork, nameLentNetwork } from './lent-network.ts'
import { type NetworkMember, networkMembers, nodeGroupOf } from './network-members.ts'
import { observeCatalogue } from './observe.ts'
import { isOurs } from './ownership.ts'
import type { StayingResource } from './stays-text.ts'

export interface DestroyRemains {
  /** Who is in the cluster's own network without being the cluster's: with the network they would be cut off. */
  readonly strangers: readonly NetworkMember[]
  /** Servers that are not the cluster's and use what would be deleted. */
  readonly guests: readonly Guest[]
  readonly staying: readonly StayingResource[]
}

export interface Guest {
  readonly kind: RecordKind
  /** Of what would be deleted. */
  readonly usedId: number
  readonly server: Pick<ApiServer, 'id' | 'name'>
  /** The node group of a cluster autoscaler that made it. */
  readonly nodeGroup: string | undefined
}

export interface RemainsOptions {
  readonly uid: string
  /** What is the cluster's, and so goes or is named elsewhere. */
  readonly records: readonly ClusterRecord[]
  /** Name of the network that was lent to the cluster, where it has none of its own. */
  readonly network?: string | undefined
  /** The same as the state recorded it. */
  readonly lentNetwork?: LentNetwork | undefined
}

/**
 * What stands around a cluster that is to be destroyed: who else is in its network, and what of its
 * surroundings stays and costs. Changes nothing.
 */
export async function observeRemains(
  client: HetznerClient,
  options: RemainsOptions,
  kinds: HetznerKindTable = hetznerKinds,
): Promise<DestroyRemains> {
  const [catalogue, servers, loadBalancers, networks, floatingIps, primaryIps, snapshots] =
    await Promise.all([
      observeCatalogue(client),
      client.servers.list(),
      client.loadBalancers.list(),
      client.networks
        .list()
        .then((all) => nameLentNetwork(all, options.lentNetwork, options.network)),
      client.floatingIps.list(),
      client.primaryIps(),
      client.images.list({ type: 'snapshot', label_selector: 'os=talos' }),
    ])
  const { uid, records } = options
  const ids = (kind: RecordKind) => idsOf(records, kind)
  const [ownServers, ownBalancers] = [ids('server'), ids('load-balancer')]
  const isOwn = ({ kind, id }: NetworkMember) =>
    (kind === 'server' ? ownServers : ownBalancers).has(id)
  const strangers = [...ids('network')]
    .flatMap((id) => networkMembers(id, { servers, loadBalancers }))
    .filter((member) => !isOwn(member))
  const lent = networks.find(({ name }) => name === options.network)
  const others = loadBalancers.filter(
    ({ id }) => !ownBalancers.has(id) && !strangers.some((one) => one.id === id),
  )
  const price = (prices: Readonly<Record<string, number>> | undefined, location: string) => {
    const found = prices?.[location]
    return found === undefined ? undefined : roundCents(found)
  }
  return {
    strangers,
    guests: servers
      .filter(({ id }) => !ownServers.has(id))
      .flatMap((server) => guestsOf(server, ids, kinds)),
    staying: [
      ...others
        .filter((one) => isOfCluster(one, { ownServers, lentNetworkId: lent?.id }))
        .map((one) => ({
          what: `the load balancer ${one.name} (id ${one.id})`,
          monthlyCost: priceOf(one, catalogue),
        })),
      ...floatingIps
        .filter(({ labels, server }) => isOurs(labels, uid) || ownServers.has(server ?? 0))
        .map(({ name, ip, type, home_location }) => ({
          what: `the floating IP ${name} (${ip})`,
          monthlyCost: price(catalogue.floatingIpPrices[type], home_location.name),
        })),
      ...primaryIps
        .filter(({ labels, assignee_id, auto_delete }) => {
          const isUsed = ownServers.has(assignee_id ?? 0) || ownBalancers.has(assignee_id ?? 0)
          return isUsed ? !auto_delete : isOurs(labels, uid)
        })
        .map(({ name, ip, type, location }) => ({
          what: `the primary IP ${name} (${ip})`,
          monthlyCost: type === 'ipv4' ? price(catalogue.ipv4Prices, location.name) : 0,
        })),
      ...snapshots.map(({ id, description, image_size }) => ({
        what: `the snapshot ${description} (id ${id}), from which other clusters may be created,`,
        monthlyCost: roundCents((image_size ?? 0) * catalogue.snapshotPricePerGb),
      })),
    ],
  }
}

/** In the order in which a destroy would take away what it uses. */
function guestsOf(
  server: ApiServer,
  ids: (kind: RecordKind) => ReadonlySet<number>,
  kinds: HetznerKindTable,
): Guest[] {
  const nodeGroup = nodeGroupOf(server)
  return Object.values(kinds)
    .toReversed()
    .flatMap(({ name: kind, destroy }) =>
      (destroy.guests?.usedBy(server) ?? [])
        .filter((id) => ids(kind).has(id))
        .map((usedId) => ({ kind, usedId, server, nodeGroup })),
    )
}

function idsOf(records: readonly ClusterRecord[], wanted: RecordKind): Set<number> {
  return new Set(
    records.flatMap(({ kind, facts }) => {
      const id = facts?.['id']
      return kind === wanted && typeof id === 'number' ? [id] : []
    }),
  )
}

/** One that serves the cluster, or once did: it sends to its servers, or a controller put it into the lent network. */
function isOfCluster(
  loadBalancer: ApiLoadBalancer,
  place: { readonly ownServers: ReadonlySet<number>; readonly lentNetworkId: number | undefined },
): boolean {
  const { targets, private_net, name } = loadBalancer
  const servers = targets
    .flatMap((target) => [target, ...(target.targets ?? [])])
    .flatMap(({ server }) => (server ? [server.id] : []))
  if (servers.some((id) => place.ownServers.has(id))) return true
  return (
    servers.length === 0 &&
    isControllerLoadBalancer(loadBalancer, name) &&
    private_net.some(({ network }) => network === place.lentNetworkId)
  )
}

function priceOf(
  { load_balancer_type, location }: ApiLoadBalancer,
  catalogue: HetznerCatalogue,
): number | undefined {
  return loadBalancerPrice(catalogue, load_balancer_type.name, location.name)
}
