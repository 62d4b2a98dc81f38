import type { ApiFirewall } from './api/firewalls.ts'
import type { HetznerClient } from './api/hetzner-client.ts'
import { readOrGone } from './apply/read-or-gone.ts'
import { type ClusterIdentity, isOurs, type Labels } from './ownership.ts'

/** How far the cluster's state has come, as Hetzner remembers it. */
export interface AnchoredState {
  readonly generation: number
  readonly keyEpoch: number
}

/**
 * The labels that carry it. They are kept outside of what plans compare (`ownLabels`), on the firewall of the
 * cluster: the one resource that every cluster has from its first apply to the end of its destroy, also with a
 * network that is lent to it, and that every plan reads anyway.
 */
const generationLabel = 'generation'
const epochLabel = 'key-epoch'

/** What the cluster's firewall says; undefined where there is none or it says nothing. */
export function readAnchor(firewall: ApiFirewall | undefined): AnchoredState | undefined {
  return firewall && anchorIn(firewall.labels)
}

export interface AnchorPlace {
  /** How far it stands already, as far as the run knows. */
  readonly known: AnchoredState | undefined
  /** Of the cluster's firewall, as far as the run knows. */
  readonly firewallId: number | undefined
}

/**
 * Writes how far the state has come; never back. Two requests, none of them where the cluster has no firewall yet
 * or `known` says that it stands there. Only under the cluster's lock.
 */
export async function writeAnchor(
  client: HetznerClient,
  identity: ClusterIdentity,
  state: AnchoredState,
  { known, firewallId }: AnchorPlace,
): Promise<void> {
  if (known && !isAhead(state, known)) return
  const firewall = await findFirewall(client, identity, firewallId)
  if (!firewall) return
  const present = anchorIn(firewall.labels)
  if (present && !isAhead(state, present)) return
  await client.firewalls.setLabels(firewall.id, {
    ...firewall.labels,
    [generationLabel]: String(state.generation),
    [epochLabel]: String(state.keyEpoch),
  })
}

/** Asks for it alone: one request. Undefined where there is no firewall of the cluster, or it says nothing. */
export async function readStateAnchor(
  client: HetznerClient,
  identity: ClusterIdentity,
  firewallId: number | undefined,
): Promise<AnchoredState | undefined> {
  return readAnchor(await findFirewall(client, identity, firewallId))
}

/** By its id where that is known: somebody may have renamed it, or taken its labels off. */
async function findFirewall(
  client: HetznerClient,
  { clusterName, uid }: ClusterIdentity,
  id: number | undefined,
): Promise<ApiFirewall | undefined> {
  if (id !== undefined) return readOrGone(() => client.firewalls.get(id))
  const firewalls = await client.firewalls.list({ name: clusterName })
  return firewalls.find((one) => isAnchor(one, clusterName, uid))
}

function isAnchor(
  { name, labels }: ApiFirewall,
  clusterName: string,
  uid: string | undefined,
): boolean {
  return isOurs(labels, uid) && labels['component'] === 'firewall' && name === clusterName
}

function anchorIn(labels: Labels): AnchoredState | undefined {
  const [generation, keyEpoch] = [generationLabel, epochLabel].map((key) => Number(labels[key]))
  const isNumber = (value: number | undefined) => Number.isSafeInteger(value) && Number(value) > 0
  if (generation === undefined || !isNumber(generation)) return undefined
  return { generation, keyEpoch: keyEpoch !== undefined && isNumber(keyEpoch) ? keyEpoch : 1 }
}

function isAhead(state: AnchoredState, other: AnchoredState): boolean {
  return state.generation > other.generation || state.keyEpoch > other.keyEpoch
}
