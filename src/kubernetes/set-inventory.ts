import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { isJsonObject, type Json } from '../lib/json.ts'
import { type KubernetesObject, type ObjectRef, textAt } from '../lib/kubernetes-object.ts'
import type { KubernetesClient } from './kubernetes-client.ts'

/** What a cluster remembers of a set: its members, so that those which are no longer wanted can be found. */
export interface SetInventory {
  readonly members: readonly ObjectRef[]
  /** Digest of the hooks that were run last. */
  readonly hooks: string
  /** Keys of Jobs that end by themselves and were applied: they need not be there any more. */
  readonly ran: readonly string[]
}

export const inventoryNamespace = 'kube-system'

const namePrefix = 'hcloud-talos-inventory-'

export function inventoryRef(set: string): ObjectRef {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    namespace: inventoryNamespace,
    name: `${namePrefix}${set}`,
  }
}

/** The names of all sets that a cluster remembers. */
export async function inventoriedSets(client: Pick<KubernetesClient, 'list'>): Promise<string[]> {
  const found = await client.list({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    namespace: inventoryNamespace,
  })
  return found
    .map(({ metadata }) => metadata.name)
    .filter((name) => name.startsWith(namePrefix))
    .map((name) => name.slice(namePrefix.length))
}

/** Label of a set's members, as kubectl's ApplySets have it (KEP-3659), so that other tools know them. */
export const memberLabel = 'applyset.kubernetes.io/part-of'

/** The id that a set's members carry; made from the inventory's identity, as the KEP prescribes. */
export function setId(set: string): string {
  const { name, namespace, kind } = inventoryRef(set)
  const digest = sha256(utf8ToBytes(`${name}.${namespace}.${kind}.`))
  const base64 = btoa(String.fromCharCode(...digest))
  return `applyset-${base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}-v1`
}

export function refKey({ apiVersion, kind, namespace, name }: ObjectRef): string {
  const [group] = apiVersion.includes('/') ? apiVersion.split('/') : ['']
  return `${group}/${kind}/${namespace ?? ''}/${name}`
}

/** The inventory as the object that holds it: a ConfigMap, which is also the ApplySet's parent. */
export function inventoryObject(
  set: string,
  { members, hooks, ran }: SetInventory,
): KubernetesObject {
  const { apiVersion, kind, name } = inventoryRef(set)
  const sorted = [...members].sort((a, b) => (refKey(a) < refKey(b) ? -1 : 1))
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      namespace: inventoryNamespace,
      labels: { 'applyset.kubernetes.io/id': setId(set) },
      annotations: {
        'applyset.kubernetes.io/tooling': 'hcloud-talos/v1',
        'applyset.kubernetes.io/contains-group-kinds': unique(sorted.map(groupKind)).join(','),
        'applyset.kubernetes.io/additional-namespaces': unique(
          sorted.flatMap((ref) => ref.namespace ?? []),
        ).join(','),
      },
    },
    data: {
      members: sorted.map((ref) => JSON.stringify(refJson(ref))).join('\n'),
      hooks,
      ran: ran.join('\n'),
    },
  }
}

/** Reads what `inventoryObject` wrote; lines that are no reference are left out. */
export function readInventory(object: KubernetesObject | undefined): SetInventory {
  return {
    members: linesOf(object, 'members').flatMap((line) => readRef(line) ?? []),
    hooks: textAt(object, 'data', 'hooks') ?? '',
    ran: linesOf(object, 'ran'),
  }
}

function linesOf(object: KubernetesObject | undefined, key: string): string[] {
  return (textAt(object, 'data', key) ?? '').split('\n').filter((line) => line !== '')
}

function readRef(line: string): ObjectRef | undefined {
  let value: Json
  try {
    value = JSON.parse(line)
  } catch {
    return undefined
  }
  if (!isJsonObject(value)) return undefined
  const { apiVersion, kind, namespace, name } = value
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || typeof name !== 'string') {
    return undefined
  }
  return typeof namespace === 'string'
    ? { apiVersion, kind, namespace, name }
    : { apiVersion, kind, name }
}

function refJson({ apiVersion, kind, namespace, name }: ObjectRef): Json {
  return { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) }
}

function groupKind({ apiVersion, kind }: ObjectRef): string {
  return apiVersion.includes('/') ? `${kind}.${apiVersion.split('/')[0]}` : kind
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)].sort()
}
