/** A node as the state branch remembers it. */
export interface InventoryNode {
  readonly name: string
  readonly role: 'control-plane' | 'worker'
  readonly pool: string
  readonly slot: number
  readonly privateIp: string
  /** Where its server is; kept as long as its pool names that location. */
  readonly location?: string | undefined
  readonly serverId?: number | undefined
  /** The server on which it left etcd, or was about to: that one never joins again, and is replaced or deleted. */
  readonly leavingServerId?: number | undefined
  readonly publicIp?: string | undefined
  readonly talosVersion?: string | undefined
  readonly kubernetesVersion?: string | undefined
  readonly schematic?: string | undefined
  /** Digest of the machine config that was last applied, made with placeholder secrets. */
  readonly configDigest?: string | undefined
}

/**
 * The public index of a cluster on the state branch: what neither Hetzner nor the nodes can tell to a
 * run without keys. Holds no secret.
 */
export interface Inventory {
  readonly clusterName: string
  /** 16 lower-case hex digits, minted once: the mark of everything that is ours. */
  readonly uid: string
  readonly nodes: readonly InventoryNode[]
  /** By addon name: what was last applied. */
  readonly addons: Readonly<Record<string, { readonly version: string; readonly digest: string }>>
  /** Whether etcd was ever bootstrapped; never goes back to false. */
  readonly bootstrapped: boolean
}
