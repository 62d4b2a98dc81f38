import { type ClusterRecord, type RecordKey, type RecordKind, recordKey } from '../plan/record.ts'
import type { HetznerClient } from './api/hetzner-client.ts'
import type { ApiLoadBalancer } from './api/load-balancers.ts'
import type { ApiServer } from './api/servers.ts'
import type { ApiVolume } from './api/volumes.ts'
import { type HetznerCatalogue, roundCents } from './catalogue.ts'
import { isControllerVolume, isOurControllersLoadBalancer } from './controller-resources.ts'
import type { KnownResources } from './known-resources.ts'
import { listResources } from './list-resources.ts'
import { liveRecords } from './live-records.ts'
import { observeCatalogue } from './observe.ts'
import type { Identifiable, SortedResources } from './own-resources.ts'
import { type ClusterIdentity, isOurs, isShortLived } from './ownership.ts'
import { liveLoadBalancer } from './records/load-balancer-record.ts'
import { type NetworkNames, networkNames, protectionFact } from './records/record-parts.ts'
import { kindsOf, type SortedLists, sortLists } from './sort-lists.ts'

/** A volume that hangs on one of our servers but was not made by the cluster. It is never deleted. */
interface GuestVolume {
  readonly name: string
  readonly id: number
  readonly sizeGb: number
  readonly server: string
}

export interface HetznerLeftovers {
  /**
   * All that is the cluster's: what its state recorded or carries its uid, and what its controllers made (load balancers
   * with `facts.origin` `controller`, volumes with `spec.sizeGb`). Ids stand in the facts.
   */
  readonly records: readonly ClusterRecord[]
  readonly guestVolumes: readonly GuestVolume[]
  /** What carries the cluster's uid although the cluster did not create it. It is never deleted. */
  readonly marked: readonly {
    readonly kind: RecordKind
    readonly name: string
    readonly id: number
  }[]
}

export interface DestroyOptions {
  readonly identity: ClusterIdentity
  /** What the state remembers. */
  readonly known?: KnownResources | undefined
  /** Name of the network that was lent to the cluster, where it has none of its own. */
  readonly network?: string | undefined
}

/** Finds everything of the cluster's that the project has, however it came to be. Changes nothing. */
export async function observeDestroy(
  client: HetznerClient,
  { identity, known, network = identity.clusterName }: DestroyOptions,
): Promise<HetznerLeftovers> {
  const [catalogue, lists, volumes] = await Promise.all([
    observeCatalogue(client),
    listResources(client, known, network),
    client.volumes.list(),
  ])
  const sorted = withAids(sortLists(lists, { ...identity, known }))
  const names = networkNames(lists.networks, sorted.networks.own, network)
  const myServers = sorted.servers.own.map(({ item }) => item)
  const serverIds = new Set(myServers.map(({ id }) => id))
  const ourVolumes = volumes.filter((volume) => isControllerVolume(volume, identity, serverIds))
  const ownNetwork = sorted.networks.own.find(({ name }) => name === network)
  const place = {
    networkId: ownNetwork?.item.id ?? lists.networks.find(({ name }) => name === network)?.id,
    networkIsOurs: ownNetwork !== undefined,
    serverIds,
  }
  const rules = sorted.firewalls.own
    .filter(({ item }) => isShortLived(item.labels))
    .map(({ name }): RecordKey => `firewall/${name}`)
  return {
    records: [
      ...liveRecords(lists, sorted, catalogue, network).map((record) =>
        record.kind === 'server' ? withGuests(record, rules, ourVolumes) : record,
      ),
      ...sorted.loadBalancers.foreign
        .filter((one) => isOurControllersLoadBalancer(one, place))
        .map((one) => controllerLoadBalancer(one, names, catalogue)),
      ...ourVolumes.map((volume) => liveVolume(volume, catalogue)),
    ],
    guestVolumes: guestVolumes(volumes, ourVolumes, myServers),
    marked: kindsOf(sorted).flatMap(([kind, { foreign }]) =>
      foreign
        .filter(({ labels }) => isOurs(labels, identity.uid))
        .map(({ name, id }) => ({ kind, name, id })),
    ),
  }
}

/** A destroy takes away what runs left behind, too. */
function withAids(sorted: SortedLists): SortedLists {
  const join = <T extends Identifiable>({ own, aids, foreign }: SortedResources<T>) => ({
    own: [...own, ...aids.map((item) => ({ name: item.name, item, recorded: false }))],
    aids: [],
    foreign,
  })
  return {
    servers: join(sorted.servers),
    networks: join(sorted.networks),
    firewalls: join(sorted.firewalls),
    placementGroups: join(sorted.placementGroups),
    loadBalancers: join(sorted.loadBalancers),
    sshKeys: join(sorted.sshKeys),
  }
}

/** Servers need, for the order of things, their volumes and the firewalls that let a run in to them. */
function withGuests(
  record: ClusterRecord,
  rules: readonly RecordKey[],
  volumes: readonly ApiVolume[],
): ClusterRecord {
  const attached = volumes
    .filter(({ server }) => server === record.facts?.['id'])
    .map(({ name }): RecordKey => `volume/${name}`)
  return { ...record, needs: [...record.needs, ...rules, ...attached] }
}

function controllerLoadBalancer(
  loadBalancer: ApiLoadBalancer,
  names: NetworkNames,
  catalogue: HetznerCatalogue,
): ClusterRecord {
  const own = { name: loadBalancer.name, item: loadBalancer, recorded: false }
  const record = liveLoadBalancer(own, names, catalogue)
  return { ...record, facts: { ...record.facts, origin: 'controller' } }
}

function liveVolume(volume: ApiVolume, catalogue: HetznerCatalogue): ClusterRecord {
  const { id, name, size, location, labels, server } = volume
  const claim = labels['pvc-name']
  const record = { kind: 'volume' as const, name }
  return {
    ...record,
    spec: {
      sizeGb: size,
      location: location.name,
      claim: claim === undefined ? null : `${labels['pvc-namespace'] ?? ''}/${claim}`,
    },
    needs: [],
    monthlyCost: roundCents(size * catalogue.volumePricePerGb),
    facts: { id, key: recordKey(record), server: server ?? null, ...protectionFact(volume) },
  }
}

function guestVolumes(
  volumes: readonly ApiVolume[],
  ours: readonly ApiVolume[],
  servers: readonly ApiServer[],
): GuestVolume[] {
  return volumes
    .filter((volume) => !ours.includes(volume))
    .flatMap(({ name, id, size, server: serverId }) => {
      const server = servers.find((one) => one.id === serverId)
      return server ? [{ name, id, sizeGb: size, server: server.name }] : []
    })
}
