import { type ClusterRecord, type RecordKey, recordKey } from '../plan/record.ts'
import type { ApiFirewall } from './api/firewalls.ts'
import type { HetznerClient } from './api/hetzner-client.ts'
import type { ApiLoadBalancer } from './api/load-balancers.ts'
import type { ApiNetwork } from './api/networks.ts'
import type { ApiServer } from './api/servers.ts'
import type { ApiVolume } from './api/volumes.ts'
import { type HetznerCatalogue, roundCents } from './catalogue.ts'
import { isControllerVolume, isOurControllersLoadBalancer } from './controller-resources.ts'
import { observeCatalogue } from './observe.ts'
import { type ClusterIdentity, isOurs, ownSelector } from './ownership.ts'
import { liveFirewall } from './records/firewall-record.ts'
import { liveLoadBalancer } from './records/load-balancer-record.ts'
import { liveNetwork } from './records/network-record.ts'
import { livePlacementGroup } from './records/placement-group-record.ts'
import { type NetworkNames, networkNames, protectionFact } from './records/record-parts.ts'
import { liveServer } from './records/server-record.ts'
import { liveSshKey } from './records/ssh-key-record.ts'

/** A volume that hangs on one of our servers but was not made by the cluster. It is never deleted. */
interface GuestVolume {
  readonly name: string
  readonly id: number
  readonly sizeGb: number
  readonly server: string
}

export interface HetznerLeftovers {
  /**
   * All that is the cluster's: what carries its uid, and what its controllers made (load balancers
   * with `facts.origin` `controller`, volumes with `spec.sizeGb`). Ids stand in the facts.
   */
  readonly records: readonly ClusterRecord[]
  readonly guestVolumes: readonly GuestVolume[]
}

export interface DestroyOptions {
  readonly identity: ClusterIdentity
  /** Name of the network that was lent to the cluster, where it has none of its own. */
  readonly network?: string | undefined
}

/** Finds everything of the cluster's that the project has, however it came to be. Changes nothing. */
export async function observeDestroy(
  client: HetznerClient,
  { identity, network = identity.clusterName }: DestroyOptions,
): Promise<HetznerLeftovers> {
  const label_selector = ownSelector(identity)
  const [catalogue, servers, networks, firewalls, groups, loadBalancers, sshKeys, volumes] =
    await Promise.all([
      observeCatalogue(client),
      client.servers.list({ label_selector }),
      client.networks.list(),
      client.firewalls.list({ label_selector }),
      client.placementGroups.list({ label_selector }),
      client.loadBalancers.list(),
      client.sshKeys.list({ label_selector }),
      client.volumes.list(),
    ])
  const isMine = ({ labels }: Pick<ApiNetwork, 'labels'>) => isOurs(labels, identity.uid)
  const names = networkNames(networks, identity.uid, network)
  const myServers = servers.filter(isMine)
  const myFirewalls = firewalls.filter(isMine)
  const serverIds = new Set(myServers.map(({ id }) => id))
  const ourVolumes = volumes.filter((volume) => isControllerVolume(volume, identity, serverIds))
  const serverRecords = liveServers(myServers, {
    names,
    catalogue,
    firewalls: myFirewalls,
    volumes: ourVolumes,
    identity,
  })
  const place = {
    networkId: networks.find(({ name }) => name === network)?.id,
    networkIsOurs: networks.some((one) => one.name === network && isMine(one)),
    serverIds,
  }
  return {
    records: [
      ...networks.filter(isMine).map(liveNetwork),
      ...myFirewalls.map(liveFirewall),
      ...groups.filter(isMine).map(livePlacementGroup),
      ...sshKeys.filter(isMine).map(liveSshKey),
      ...loadBalancers.filter(isMine).map((one) => liveLoadBalancer(one, names, catalogue)),
      ...loadBalancers
        .filter((one) => !isMine(one) && isOurControllersLoadBalancer(one, place))
        .map((one) => controllerLoadBalancer(one, names, catalogue)),
      ...serverRecords,
      ...ourVolumes.map((volume) => liveVolume(volume, catalogue)),
    ],
    guestVolumes: guestVolumes(volumes, ourVolumes, myServers),
  }
}

/** Servers need, for the order of things, their volumes and the firewalls that let a run in to them. */
function liveServers(
  servers: readonly ApiServer[],
  {
    names,
    catalogue,
    firewalls,
    volumes,
    identity,
  }: {
    names: NetworkNames
    catalogue: HetznerCatalogue
    firewalls: readonly ApiFirewall[]
    volumes: readonly ApiVolume[]
    identity: ClusterIdentity
  },
): ClusterRecord[] {
  const firewall = firewalls.find(({ name }) => name === identity.clusterName)
  const doors = firewalls
    .filter(({ labels }) => labels['component'] === 'access')
    .map(({ name }): RecordKey => `firewall/${name}`)
  return servers.map((server) => {
    const record = liveServer(server, { networks: names, catalogue, firewall })
    const attached = volumes
      .filter((volume) => volume.server === server.id)
      .map(({ name }): RecordKey => `volume/${name}`)
    return { ...record, needs: [...record.needs, ...doors, ...attached] }
  })
}

function controllerLoadBalancer(
  loadBalancer: ApiLoadBalancer,
  names: NetworkNames,
  catalogue: HetznerCatalogue,
): ClusterRecord {
  const record = liveLoadBalancer(loadBalancer, names, catalogue)
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
