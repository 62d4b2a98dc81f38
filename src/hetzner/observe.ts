import type { ClusterRecord, RecordKey, RecordKind } from '../plan/record.ts'
import { recordKey } from '../plan/record.ts'
import type { ApiFirewall } from './api/firewalls.ts'
import type { HetznerClient } from './api/hetzner-client.ts'
import type { ApiImage } from './api/images.ts'
import type { ApiLoadBalancer } from './api/load-balancers.ts'
import type { ApiNetwork } from './api/networks.ts'
import type { ApiPlacementGroup } from './api/placement-groups.ts'
import type { ApiServer } from './api/servers.ts'
import type { ApiSshKey } from './api/ssh-keys.ts'
import { type HetznerCatalogue, toCatalogue } from './catalogue.ts'
import { claimsCluster, isOurs, type Labels } from './ownership.ts'
import { liveFirewall } from './records/firewall-record.ts'
import { liveLoadBalancer } from './records/load-balancer-record.ts'
import { liveNetwork } from './records/network-record.ts'
import { livePlacementGroup } from './records/placement-group-record.ts'
import { networkNames } from './records/record-parts.ts'
import { liveServer } from './records/server-record.ts'
import { liveSshKey } from './records/ssh-key-record.ts'
import { type AnchoredState, readAnchor } from './state-anchor.ts'

export interface ObserveOptions {
  readonly clusterName: string
  /** Undefined where there is no state yet: then nothing is ours. */
  readonly uid: string | undefined
  /** Name of an existing network that the spec wants to use. */
  readonly network?: string | undefined
  /** Asks once more, for the number of all servers in the project. */
  readonly countServers?: boolean
}

/** Something of the project that is not ours. */
interface ForeignResource {
  readonly kind: RecordKind
  readonly name: string
  readonly id: number
  /** Whether it says that it belongs to a cluster of our name: then our state is missing, or not ours. */
  readonly claimsCluster: boolean
}

/** A network of somebody else's that the spec uses. */
interface ExistingNetwork {
  readonly id: number
  readonly name: string
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
  readonly catalogue: HetznerCatalogue
  /** Talos snapshots, whoever made them. */
  readonly snapshots: readonly ApiImage[]
  /** Ids of our records, and of the existing network under its own key. */
  readonly ids: ReadonlyMap<RecordKey, number>
  /** Ours, but short-lived: what a run that died may have left. */
  readonly strays: readonly {
    readonly kind: RecordKind
    readonly name: string
    readonly id: number
  }[]
  /** How far the state of the cluster has come at least; undefined where Hetzner does not remember it. */
  readonly anchor: AnchoredState | undefined
  /** Servers in the project, whoever owns them; undefined if not asked or not told. */
  readonly projectServers: number | undefined
}

/**
 * Looks at the project in a dozen list calls, whatever the size of the cluster (servers come in pages
 * of 50). Changes nothing.
 */
export async function observeHetzner(
  client: HetznerClient,
  options: ObserveOptions,
): Promise<HetznerLive> {
  const { countServers = false } = options
  const [catalogue, snapshots, projectServers, resources] = await Promise.all([
    observeCatalogue(client),
    client.images.list({ type: 'snapshot', label_selector: 'os=talos' }),
    countServers ? client.servers.count() : undefined,
    listResources(client, options.clusterName),
  ])
  return { ...describeResources(resources, catalogue, options), snapshots, projectServers }
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

interface Resources {
  readonly servers: readonly ApiServer[]
  readonly networks: readonly ApiNetwork[]
  readonly firewalls: readonly ApiFirewall[]
  readonly placementGroups: readonly ApiPlacementGroup[]
  readonly loadBalancers: readonly ApiLoadBalancer[]
  readonly sshKeys: readonly ApiSshKey[]
}

/**
 * Servers by label; the other kinds whole, since there are few of them and names that others have
 * taken must be known before anything is made.
 */
async function listResources(client: HetznerClient, clusterName: string): Promise<Resources> {
  const [servers, networks, firewalls, placementGroups, loadBalancers, sshKeys] = await Promise.all(
    [
      client.servers.list({ label_selector: `cluster=${clusterName}` }),
      client.networks.list(),
      client.firewalls.list(),
      client.placementGroups.list(),
      client.loadBalancers.list(),
      client.sshKeys.list(),
    ],
  )
  return { servers, networks, firewalls, placementGroups, loadBalancers, sshKeys }
}

type Described = Omit<HetznerLive, 'snapshots' | 'projectServers'>

function describeResources(
  resources: Resources,
  catalogue: HetznerCatalogue,
  options: ObserveOptions,
): Described {
  const { clusterName, uid } = options
  const all = tagged(resources)
  const existing = resources.networks.find(({ name }) => name === options.network)
  const records = toRecords(resources, catalogue, options)
  const ids = new Map(all.filter(isMember(uid)).map((item) => [recordKey(item), item.id]))
  if (existing) ids.set(`network/${existing.name}`, existing.id)
  return {
    records,
    foreign: all
      .filter(({ labels }) => !isOurs(labels, uid))
      .map(({ kind, name, id, labels }) => ({
        kind,
        name,
        id,
        claimsCluster: claimsCluster(labels, clusterName),
      })),
    sshKeyNames: resources.sshKeys.map(({ name }) => name),
    existingNetwork: existing && {
      id: existing.id,
      name: existing.name,
      ipRange: existing.ip_range,
      subnets: existing.subnets.flatMap(({ ip_range, network_zone }) =>
        ip_range ? [{ ipRange: ip_range, networkZone: network_zone }] : [],
      ),
    },
    catalogue,
    ids,
    anchor: readAnchor(resources.firewalls, options),
    strays: all
      .filter(({ labels }) => isOurs(labels, uid) && isShortLived(labels))
      .map(({ kind, name, id }) => ({ kind, name, id })),
  }
}

function toRecords(
  { servers, networks, firewalls, placementGroups, loadBalancers, sshKeys }: Resources,
  catalogue: HetznerCatalogue,
  { clusterName, uid, network = clusterName }: ObserveOptions,
): ClusterRecord[] {
  const isMine = isMember(uid)
  const names = networkNames(networks, uid, network)
  const firewall = firewalls.find((one) => isMine(one) && one.name === clusterName)
  return [
    ...networks.filter(isMine).map(liveNetwork),
    ...firewalls.filter(isMine).map(liveFirewall),
    ...placementGroups.filter(isMine).map(livePlacementGroup),
    ...sshKeys.filter(isMine).map(liveSshKey),
    ...loadBalancers.filter(isMine).map((one) => liveLoadBalancer(one, names, catalogue)),
    ...servers
      // One that is being deleted will be gone; who makes it anew waits for that.
      .filter((one) => isMine(one) && one.status !== 'deleting')
      .map((one) => liveServer(one, { networks: names, catalogue, firewall })),
  ]
}

/** Whether something is ours and part of the cluster, not a run's own passing aid. */
function isMember(uid: string | undefined) {
  return ({ labels }: { readonly labels: Labels }) => isOurs(labels, uid) && !isShortLived(labels)
}

function isShortLived(labels: Labels): boolean {
  return labels['component'] === 'access' || labels['component'] === 'image-builder'
}

interface Tagged {
  readonly kind: RecordKind
  readonly name: string
  readonly id: number
  readonly labels: Labels
}

function tagged(resources: Resources): Tagged[] {
  const tag = (kind: RecordKind, list: readonly Omit<Tagged, 'kind'>[]) =>
    list.map(({ name, id, labels }) => ({ kind, name, id, labels }))
  return [
    ...tag('network', resources.networks),
    ...tag('firewall', resources.firewalls),
    ...tag('placement-group', resources.placementGroups),
    ...tag('ssh-key', resources.sshKeys),
    ...tag('load-balancer', resources.loadBalancers),
    ...tag('server', resources.servers),
  ]
}
