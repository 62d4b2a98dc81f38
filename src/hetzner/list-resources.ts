import type { RecordKind } from '../plan/record.ts'
import type { HetznerClient } from './api/hetzner-client.ts'
import type { ApiImage } from './api/images.ts'
import { readOrGone } from './apply/read-or-gone.ts'
import type { KnownResources } from './known-resources.ts'
import { nameLentNetwork } from './lent-network.ts'
import type { ResourceLists } from './sort-lists.ts'

/**
 * All resources of the project, whoever owns them: names that others have taken must be known before anything
 * is created, and a label selector would not show what somebody took a label off. What the state knows by an
 * id that no list shows is asked for by that id. `network` is the name of the network that is lent to the cluster.
 */
export async function listResources(
  client: HetznerClient,
  known: KnownResources | undefined,
  network: string | undefined,
): Promise<ResourceLists> {
  const [servers, networks, firewalls, placementGroups, loadBalancers, sshKeys] = await Promise.all(
    [
      complete('server', client.servers, known),
      complete('network', client.networks, known),
      complete('firewall', client.firewalls, known),
      complete('placement-group', client.placementGroups, known),
      complete('load-balancer', client.loadBalancers, known),
      complete('ssh-key', client.sshKeys, known),
    ],
  )
  return {
    servers,
    networks: nameLentNetwork(networks, known?.lentNetwork, network),
    firewalls,
    placementGroups,
    loadBalancers,
    sshKeys,
  }
}

async function complete<T extends { readonly id: number }>(
  kind: RecordKind,
  api: { list(): Promise<T[]>; get(id: number): Promise<T> },
  known: KnownResources | undefined,
): Promise<T[]> {
  const listed = await api.list()
  const ids = new Set(listed.map(({ id }) => id))
  const recorded = [...(known?.ids ?? [])].flatMap(([key, id]) =>
    key.startsWith(`${kind}/`) ? [id] : [],
  )
  const lent = kind === 'network' && known?.lentNetwork ? [known.lentNetwork.id] : []
  const missing = [...recorded, ...lent].filter((id) => !ids.has(id))
  const found = await Promise.all(missing.map((id) => readOrGone(() => api.get(id))))
  return [...listed, ...found.filter((one) => one !== undefined)]
}

/** Talos snapshots by their label, and those that the state recorded whatever their labels. */
export async function listSnapshots(
  client: HetznerClient,
  known: KnownResources | undefined,
): Promise<ApiImage[]> {
  const listed = await client.images.list({ type: 'snapshot', label_selector: 'os=talos' })
  const ids = new Set(listed.map(({ id }) => id))
  const missing = [...(known?.images.values() ?? [])].filter(({ id }) => !ids.has(id))
  const found = await Promise.all(missing.map(({ id }) => readOrGone(() => client.images.get(id))))
  return [...listed, ...found.filter((one) => one !== undefined)]
}
