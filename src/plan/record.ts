import { isJsonObject, type Json, type JsonObject } from '../lib/json.ts'

/** What a plan has to know of a kind; everything else is its domain's. */
interface KindTraits {
  /** What people call it. */
  readonly words: string
  /** What several of them are counted as. */
  readonly counted: 'servers' | 'hosts' | 'nodes' | 'of them'
  /** Whether it has an id of its own at the cloud, which the inventory records. */
  readonly hasId: boolean
  /** Whether it has labels there, by which we know what is ours. */
  readonly hasLabels: boolean
  /** Whether it is a resource at the cloud, or something inside of what runs there. */
  readonly place: 'cloud' | 'inside'
  /**
   * Which stages of an apply make it: of several, whichever comes first. `talos` is what makes machines a cluster, in
   * every mode.
   */
  readonly stages: readonly ('infra' | 'talos' | 'addons')[]
  /** Which rules hold it: see `ClusterPart`. */
  readonly part: ClusterPart
}

/**
 * What a thing is to the cluster, for the rules that keep etcd and the nodes alive: a `machine` is what a node runs on
 * and is called as the node is, a `node` is what makes it one. A provider's kinds take their places here, so that no
 * rule of a plan names a kind.
 */
export type ClusterPart = 'machine' | 'node' | 'etcd' | 'addon' | 'other'

const atCloud = {
  counted: 'of them',
  hasId: true,
  hasLabels: true,
  place: 'cloud',
  stages: ['infra'],
  part: 'other',
} as const
const inside = {
  counted: 'of them',
  hasId: false,
  hasLabels: false,
  place: 'inside',
  stages: ['talos'],
  part: 'other',
} as const

/**
 * The kinds of things that a cluster is made of, in the order in which people read a plan.
 * What machines stand in and are comes first, then what Talos, kubeadm and Kubernetes hold.
 */
export const kindTraits = {
  image: { ...inside, words: 'image', place: 'cloud', stages: ['infra'] },
  network: { ...atCloud, words: 'network' },
  firewall: { ...atCloud, words: 'firewall' },
  'placement-group': { ...atCloud, words: 'placement group' },
  'ssh-key': { ...atCloud, words: 'SSH key' },
  'load-balancer': { ...atCloud, words: 'load balancer' },
  server: { ...atCloud, words: 'server', counted: 'servers', part: 'machine' },
  // Made by the cluster's own controllers: no state records it.
  volume: { ...atCloud, words: 'volume', hasId: false },
  // One that exists without us: no cloud knows it, and it stands where a server would.
  host: { ...inside, words: 'host', counted: 'hosts', stages: ['infra'], part: 'machine' },
  secrets: { ...inside, words: 'secrets of', stages: ['infra', 'talos'] },
  node: { ...inside, words: 'node', counted: 'nodes', part: 'node' },
  etcd: { ...inside, words: 'etcd of', part: 'etcd' },
  kubernetes: { ...inside, words: 'Kubernetes:' },
  kubelet: { ...inside, words: 'kubelet of', counted: 'nodes' },
  'kube-vip': { ...inside, words: 'kube-vip of', counted: 'nodes' },
  addon: { ...inside, words: 'addon', stages: ['addons'], part: 'addon' },
} as const satisfies Readonly<Record<string, KindTraits>>
export type RecordKind = keyof typeof kindTraits

/** The kinds of resources at the cloud: its domain has a table that is total over them. */
export type CloudKind = {
  readonly [K in RecordKind]: (typeof kindTraits)[K]['place'] extends 'cloud' ? K : never
}[RecordKind]

export const recordKinds = Object.keys(kindTraits) as readonly RecordKind[]

/** The stable name of one record: `server/demo-workers-1`. Never derived from a position in a list. */
export type RecordKey = `${RecordKind}/${string}`

/**
 * One thing, desired or live: both have this type, so that a diff needs to know nothing else.
 * `spec` holds what is compared; what only an outside system decides (ids, addresses) stands in `facts`.
 */
export interface ClusterRecord {
  readonly kind: RecordKind
  readonly name: string
  readonly spec: JsonObject
  /** Keys of records that must exist before this one, and go after it. */
  readonly needs: readonly RecordKey[]
  /** Price per month in euro without tax, where it has one. */
  readonly monthlyCost?: number
  /** Live only: what acting on it takes (ids, addresses). Never compared, never part of a digest. */
  readonly facts?: JsonObject
}

/** Which part of a cluster a record is. */
export function partOf({ kind }: { readonly kind: RecordKind }): ClusterPart {
  return kindTraits[kind].part
}

export function recordKey(record: { kind: RecordKind; name: string }): RecordKey {
  return `${record.kind}/${record.name}`
}

/**
 * A value that exists only after another change was made, as it stands in a record's spec:
 * `{ knownAfter: 'load-balancer/demo' }`. Equal to whatever is live, so it never causes a change.
 */
interface KnownAfter extends JsonObject {
  readonly knownAfter: RecordKey
}

export function isKnownAfter(value: Json | undefined): value is KnownAfter {
  return isJsonObject(value) && typeof value['knownAfter'] === 'string'
}
