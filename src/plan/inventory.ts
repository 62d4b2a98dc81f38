import type { JsonObject } from '../lib/json.ts'
import type { Component, ControlPlaneComponent } from '../spec/component.ts'

/** What is known of a node of Talos alone; a node of another mode has none of it. */
export interface TalosNodeFacts {
  readonly talosVersion?: string | undefined
  /** What it ran before its last upgrade, which a rollback boots; absent where it was never upgraded, or before this was recorded. */
  readonly formerTalosVersion?: string | undefined
  /**
   * An installation of Talos that was written down before it was begun, and whose end was not: the node runs `to` and
   * a rollback boots `from`, or it runs `from` and a rollback boots `to` or what it booted before.
   */
  readonly installing?: { readonly from: string; readonly to: string } | undefined
  readonly schematic?: string | undefined
  /** Digest of the machine config that was last applied, made with placeholder secrets. */
  readonly configDigest?: string | undefined
  /** Of that config, by field, what the cluster file says where the branch keeps values encrypted: see `hiddenFields`. */
  readonly hiddenFields?: Readonly<Record<string, string>> | undefined
  /** The contract of that config, its shape: `v1.13`. Absent in an inventory that was written before it was recorded. */
  readonly contract?: string | undefined
  /** Versions of the named secrets that were filled into that config. */
  readonly secretVersions?: Readonly<Record<string, number>> | undefined
}

/** What is known of a node's host where hosts exist without us; a node of another mode has none of it. */
export interface InventoryHost {
  /** Where SSH reached it, and how: a host that has left the file is still logged in to. Holds no secret. */
  readonly login: JsonObject
  readonly address: string
  /** The key that it showed at first, or that the file pins: one line of known_hosts without the name. */
  readonly hostKey?: string | undefined
  /** Of its operating system: another one is another machine under this name. */
  readonly machineId?: string | undefined
  readonly onRemove: 'keep' | 'reset' | 'purge'
  /** Whether it is a member, or an act began that makes it one. */
  readonly membership?: 'joining' | 'member' | 'leaving' | undefined
  /**
   * What the last apply gave its node: keys of labels, and taints as `key:effect`. What of these the file does not name
   * any more is taken away; all others are somebody else's.
   */
  readonly given?:
    | { readonly labels: readonly string[]; readonly taints: readonly string[] }
    | undefined
}

/** A node as the state branch remembers it. */
export interface InventoryNode extends TalosNodeFacts {
  readonly name: string
  readonly role: 'control-plane' | 'worker'
  readonly pool: string
  readonly slot: number
  readonly privateIp: string
  /** Where its server is; kept as long as its pool names that location. */
  readonly location?: string | undefined
  readonly serverId?: number | undefined
  /** The server on which it left etcd or Kubernetes, or was about to: that one never joins again, and is replaced or deleted. */
  readonly leavingServerId?: number | undefined
  readonly publicIp?: string | undefined
  /** The kubelet's, without v; the other components' too, where `components` does not name theirs. */
  readonly kubernetesVersion?: string | undefined
  /** Components of a control plane that is between two versions. */
  readonly components?: Readonly<Partial<Record<ControlPlaneComponent, string>>> | undefined
  /**
   * A component whose new version was written down before the node got it, and has not been seen there:
   * an upgrade that was cut off begins with it.
   */
  readonly arriving?: { readonly component: Component; readonly from: string } | undefined
  readonly host?: InventoryHost | undefined
}

/** A named secret as anybody may know it. */
export interface InventorySecret {
  /** Goes up with each other value, and never comes back: a config that was given an older one differs. */
  readonly version: number
  readonly setAt: string
  /** The run that set it. */
  readonly setBy: string
  /** Whether it was set, or given to an apply by its environment. */
  readonly origin: 'set' | 'environment'
  /** Whether it was removed: then only its version is known. */
  readonly isRemoved?: boolean | undefined
}

/** A resource at the cloud, as the state branch remembers it. */
export interface InventoryResource {
  /** Its id; null where it was about to be created. */
  readonly id: number | null
  /** What the last change of it asked for: what differs from this was changed by somebody else. */
  readonly spec?: JsonObject | undefined
  /** Whether another is about to take its place: that one is expected as soon as this one is gone. */
  readonly isReplaced?: boolean | undefined
}

/** A snapshot that servers of the cluster are created from, bound to the build that made it. */
export interface InventoryImage {
  readonly id: number
  /** SHA-256 of the image that was written, as far as it is known. */
  readonly digest?: string | undefined
}

/** An addon as it was last applied. */
export interface InventoryAddon {
  readonly version: string
  readonly digest: string
  /** Of one that the cluster file brought: what it needed, so that its removal knows its place. */
  readonly needs?: readonly string[] | undefined
  /** The tgz of a chart that the cluster file brought: the same source never gives another. */
  readonly archive?: ChartArchive | undefined
  /**
   * What an apply began to make of it and did not end: its objects may be of both. The file may go back to what was
   * applied, and then there is something to do.
   */
  readonly begun?:
    | { readonly digest: string; readonly archive?: ChartArchive | undefined }
    | undefined
}

interface ChartArchive {
  /** Repository, chart and version. */
  readonly source: string
  readonly sha256: string
}

/**
 * The public index of a cluster on the state branch: what neither the provider nor the nodes can report to a
 * run without keys. Holds no secret.
 */
export interface Inventory {
  readonly clusterName: string
  /** 16 lower-case hex digits, minted once: the mark of everything that is ours. */
  readonly uid: string
  readonly nodes: readonly InventoryNode[]
  /**
   * Recipients that the cluster file named when the secrets were last encrypted: who of them is named no more was
   * taken out by a review, and is no stranger. Absent until then.
   */
  readonly recipients?: readonly string[] | undefined
  /** By record key. Absent in an inventory that was written before ids of all kinds were recorded. */
  readonly resources?: Readonly<Record<string, InventoryResource>> | undefined
  /** The network of somebody else's that the cluster stands in, by the name in its file: its id does not change. */
  readonly lentNetwork?: { readonly id: number; readonly name: string } | undefined
  /** By record key: no other snapshot is used, whatever its labels say. */
  readonly images?: Readonly<Record<string, InventoryImage>> | undefined
  /** The named secrets, by name; their values are in a file that only the recipients open. */
  readonly secrets?: Readonly<Record<string, InventorySecret>> | undefined
  /** By addon name: what was last applied. */
  readonly addons: Readonly<Record<string, InventoryAddon>>
  /**
   * The version of Kubernetes whose bootstrap manifests were last brought into the cluster. Absent until
   * the first upgrade begins: nodes make the manifests of their first version themselves.
   */
  readonly manifestsVersion?: string | undefined
  /** The contract of the machine configs, from the birth of the cluster on: only an apply of another one changes it. */
  readonly contract?: string | undefined
  /** `sha256:…` of the authority that kubeadm made for the cluster: a host with another one is another cluster's. */
  readonly authority?: string | undefined
  /** Whether etcd was ever bootstrapped; never goes back to false. */
  readonly bootstrapped: boolean
}
