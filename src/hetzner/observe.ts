import type { InventoryImage } from '../plan/inventory.ts'
import type { ClusterRecord, RecordKey, RecordKind } from '../plan/record.ts'
import { recordKey } from '../plan/record.ts'
import type { HetznerClient } from './api/hetzner-client.ts'
import type { ApiImage } from './api/images.ts'
import { type HetznerCatalogue, toCatalogue } from './catalogue.ts'
import { type Found, findResources, liveRecords } from './find-resources.ts'
import { type HetznerKindTable, hetznerKinds } from './kinds/hetzner-kinds.ts'
import type { KnownResources } from './known-resources.ts'
import type { LentNetwork } from './lent-network.ts'
import { listSnapshots } from './list-snapshots.ts'
import { claimsCluster, isOurs, isSelectedControlPlane } from './ownership.ts'
import { type AnchoredState, readAnchor } from './state-anchor.ts'
import { type Surroundings, surroundingsOf } from './surroundings.ts'

export interface ObserveOptions {
  readonly clusterName: string
  /** Undefined where there is no state yet: then nothing is ours. */
  readonly uid: string | undefined
  /** What the state remembers; where it is lost, the uid alone decides. */
  readonly known?: KnownResources | undefined
  /** Name of an existing network that the spec wants to use. */
  readonly network?: string | undefined
}

/** Something of the project that is not ours. */
interface ForeignResource {
  readonly kind: RecordKind
  readonly name: string
  readonly id: number
  /** Whether it says that it belongs to a cluster of our name: then our state is missing, or not ours. */
  readonly claimsCluster: boolean
  /** Whether it carries our uid, although this cluster did not create it: somebody copied its labels. */
  readonly isMarked: boolean
  /** Whether the load balancer of the API sends requests to it, as its labels are those of a control plane. */
  readonly isSelected: boolean
}

/** A network of somebody else's that the spec uses. */
interface ExistingNetwork {
  readonly id: number
  readonly name: string
  /** What its owner calls it now, where that is another name than the spec's. */
  readonly calledNow?: string | undefined
  readonly ipRange: string
  readonly subnets: readonly { readonly ipRange: string; readonly networkZone: string }[]
}

export interface HetznerLive {
  /** What is ours and belongs to the cluster's desired state. */
  readonly records: readonly ClusterRecord[]
  readonly foreign: readonly ForeignResource[]
  /** All keys of the project, for those that the spec names. */
  readonly sshKeyNames: readonly string[]
  readonly existingNetwork: ExistingNetwork | undefined
  /** The network that was lent to the cluster under the name in its file, where it is gone. */
  readonly lostNetwork: LentNetwork | undefined
  readonly catalogue: HetznerCatalogue
  /** Talos snapshots, whoever made them. */
  readonly snapshots: readonly ApiImage[]
  /** Which of them the state recorded, by record key. */
  readonly knownImages: ReadonlyMap<string, InventoryImage>
  /** Ids of our records by their keys, whatever they are called now, and of the existing network under its own. */
  readonly ids: ReadonlyMap<RecordKey, number>
  /** Ours, but short-lived: what a run that died may have left. */
  readonly strays: readonly {
    readonly kind: RecordKind
    readonly name: string
    readonly id: number
  }[]
  /** How far the state of the cluster has come at least; undefined where Hetzner does not remember it. */
  readonly anchor: AnchoredState | undefined
  /** What others have where the cluster is. */
  readonly surroundings: Surroundings
  /** How many servers of the project are of which cluster, by its name: whoever's they are. */
  readonly serversOf: ReadonlyMap<string, number>
  /** Servers in the project, whoever owns them. */
  readonly projectServers: number
}

/**
 * Looks at the project in a dozen list calls, whatever the size of the cluster (servers come in pages of 50),
 * and one call more for each id that the state recorded and no list shows: only its 404 says that it is gone.
 * Changes nothing.
 */
export async function observeHetzner(
  client: HetznerClient,
  options: ObserveOptions,
  kinds: HetznerKindTable = hetznerKinds,
): Promise<HetznerLive> {
  const { known, network } = options
  const [catalogue, snapshots, found] = await Promise.all([
    observeCatalogue(client),
    listSnapshots(client, known),
    findResources(client, { ...options, known, network, run: 'each-run' }, kinds),
  ])
  const knownImages = known?.images ?? new Map<string, InventoryImage>()
  return { ...describeResources(found, catalogue, options), snapshots, knownImages }
}

/** What Hetzner sells now. */
export async function observeCatalogue(client: HetznerClient): Promise<HetznerCatalogue> {
  const [serverTypes, loadBalancerTypes, locations, pricing] = await Promise.all([
    client.serverTypes(),
    client.loadBalancerTypes(),
    client.locations(),
    client.pricing(),
  ])
  return toCatalogue({ serverTypes, loadBalancerTypes, locations, pricing })
}

function describeResources(
  found: Found,
  catalogue: HetznerCatalogue,
  options: ObserveOptions,
): Omit<HetznerLive, 'snapshots' | 'knownImages'> {
  const { clusterName, uid, network = clusterName, known } = options
  const networks = found.of('network').all
  const servers = found.of('server').all
  const existing = networks.find(({ name }) => name === options.network)
  const ids = new Map(
    found.kinds.flatMap(({ kind, sorted }) =>
      sorted.own.map(({ name, item }) => [recordKey({ kind, name }), item.id] as const),
    ),
  )
  if (existing) ids.set(`network/${existing.name}`, existing.id)
  return {
    records: liveRecords({ found, catalogue, network }),
    foreign: found.kinds.flatMap(({ kind, sorted }) =>
      sorted.foreign.map(({ name, id, labels }) => ({
        kind,
        name,
        id,
        claimsCluster: claimsCluster(labels, clusterName),
        isMarked: isOurs(labels, uid),
        isSelected: kind === 'server' && isSelectedControlPlane(labels, uid),
      })),
    ),
    sshKeyNames: found.of('ssh-key').all.map(({ name }) => name),
    existingNetwork: existing && {
      id: existing.id,
      name: existing.name,
      calledNow: existing.calledNow,
      ipRange: existing.ip_range,
      subnets: existing.subnets.flatMap(({ ip_range, network_zone }) =>
        ip_range ? [{ ipRange: ip_range, networkZone: network_zone }] : [],
      ),
    },
    lostNetwork:
      !existing && known?.lentNetwork?.name === options.network ? known?.lentNetwork : undefined,
    catalogue,
    ids,
    surroundings: surroundingsOf(
      {
        servers,
        networks,
        loadBalancers: found.of('load-balancer').all,
        placementGroups: found.of('placement-group').all,
      },
      ids.get(`network/${network}`),
    ),
    anchor: readAnchor(found.of('firewall').own.find(({ name }) => name === clusterName)?.item),
    strays: found.kinds.flatMap(({ kind, sorted }) =>
      sorted.aids.map(({ name, id }) => ({ kind, name, id })),
    ),
    serversOf: countByCluster(servers),
    projectServers: servers.length,
  }
}

/** A server that carries a uid is one of ours, whichever cluster's. */
function countByCluster(
  servers: readonly { readonly labels: Readonly<Record<string, string>> }[],
): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { labels } of servers) {
    const { cluster, uid } = labels
    if (cluster !== undefined && uid !== undefined) {
      counts.set(cluster, (counts.get(cluster) ?? 0) + 1)
    }
  }
  return counts
}
