import { publicKeyText } from '../pki.ts'
import { sha256Hex } from '../stable-json.ts'
import type { World } from '../world.ts'
import type { NodeConfig } from './config/node-config.ts'
import type { Etcd } from './etcd.ts'
import type { KubernetesInstance } from './kubernetes-instance.ts'
import { TalosFaults } from './talos-faults.ts'
import type { TalosNode } from './talos-node.ts'

/** The nodes whose configs carry the same cluster id and the same Kubernetes. */
export interface TalosCluster {
  readonly id: string
  readonly name: string
  /**
   * Each bootstrap that was accepted: more than one is a cluster split in two, which must never happen,
   * but for those that recovered a lost etcd from a snapshot.
   */
  readonly bootstraps: {
    readonly node: string
    readonly at: number
    readonly etcd: string
    readonly recovered: boolean
  }[]
  readonly etcds: Map<string, Etcd>
  /** One for each etcd. */
  readonly kubernetes: Map<string, KubernetesInstance>
}

/** What all the simulated Talos nodes of one world have in common. */
export class TalosState {
  readonly faults = new TalosFaults()
  /** Nodes that are on. */
  readonly nodes = new Set<TalosNode>()
  readonly clusters = new Map<string, TalosCluster>()
  /** Whether nodes find each other without Kubernetes: there is no discovery service here, unless a test says so. */
  hasDiscovery = false
  #isNotifying = false

  /** The cluster of this config; made when its first node asks. The CA of the Talos API may change in its life. */
  clusterOf(config: NodeConfig): TalosCluster {
    const key = sha256Hex(`${config.clusterId}\n${publicKeyText(config.kubernetesCa.crt)}`)
    const known = this.clusters.get(key)
    if (known !== undefined) return known
    const cluster: TalosCluster = {
      id: config.clusterId,
      name: config.clusterName,
      bootstraps: [],
      etcds: new Map(),
      kubernetes: new Map(),
    }
    this.clusters.set(key, cluster)
    return cluster
  }

  /** The configured nodes of a cluster that are on. */
  nodesOf(cluster: TalosCluster): TalosNode[] {
    return [...this.nodes].filter((node) => node.cluster === cluster)
  }

  /** The node that has this address, public or private. */
  nodeAt(address: string, near: TalosCluster): TalosNode | undefined {
    return (
      this.nodesOf(near).find(({ addresses }) => addresses.includes(address)) ??
      [...this.nodes].find(({ machine }) => machine.publicIp === address)
    )
  }

  /** Something changed that others may wait for: every node looks again, soon and once. */
  changed(): void {
    if (this.#isNotifying) return
    this.#isNotifying = true
    queueMicrotask(() => {
      this.#isNotifying = false
      for (const { kubernetes } of this.clusters.values()) {
        for (const instance of kubernetes.values()) instance.reconcile()
      }
      for (const node of this.nodes) node.reconcile()
    })
  }
}

const states = new WeakMap<World, TalosState>()

/** The Talos side of a world. */
export function talosState(world: World): TalosState {
  const known = states.get(world)
  if (known !== undefined) return known
  const state = new TalosState()
  states.set(world, state)
  return state
}
