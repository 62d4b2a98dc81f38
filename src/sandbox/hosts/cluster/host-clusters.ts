import { publicKeyText } from '../../pki.ts'
import type { Etcd } from '../../talos/etcd.ts'
import type { World } from '../../world.ts'
import type { ProgramRun } from '../serve-programs.ts'
import type { HostService, SimHost } from '../sim-host.ts'
import { runCrictl } from './crictl.ts'
import { runCtr } from './ctr.ts'
import { runEtcdutl } from './etcdutl.ts'
import { HostActs } from './host-acts.ts'
import type { HostCluster } from './host-cluster.ts'
import { HostNode } from './host-node.ts'
import { runIp } from './ip-program.ts'
import { runKubeadm } from './kubeadm.ts'

export interface HostClustersOptions {
  /** Pods have a network from the beginning; otherwise nodes are Ready once an addon brings one. */
  readonly hasOwnNetwork: boolean
  /** An address that leads to all control planes of any cluster; none where absent. */
  readonly balancer: string | undefined
}

/** What happens within kubeadm, and ends it: the process dies right after this phase. */
export type KubeadmPhase =
  | 'certs'
  | 'kubelet-start'
  | 'control-plane'
  | 'wait-control-plane'
  | 'etcd-learner'
  | 'etcd-join'
  | 'upload-config'
  | 'mark-control-plane'
  | 'bootstrap-token'
  | 'upgrade'

/** The clusters that kubeadm makes on simulated hosts, and what their programs do. */
export class HostClusters implements HostService {
  readonly world: World
  readonly acts: HostActs
  readonly nodes: HostNode[] = []
  readonly hasOwnNetwork: boolean
  readonly balancer: string | undefined
  /** By host: where the next kubeadm on it dies. */
  readonly deaths = new Map<string, KubeadmPhase>()
  /** How many more times the Job of an upgrade's health check takes longer than kubeadm waits. */
  slowHealthJobs = 0
  /** By its id: what snapshots were made into, and nobody has started yet. */
  readonly restored = new Map<string, Etcd>()
  readonly #clusters = new Map<string, HostCluster>()

  constructor(world: World, { hasOwnNetwork, balancer }: HostClustersOptions) {
    this.world = world
    this.hasOwnNetwork = hasOwnNetwork
    this.balancer = balancer
    this.acts = new HostActs(world)
  }

  get all(): HostCluster[] {
    return [...this.#clusters.values()]
  }

  /** A host of these, which may become a node. */
  addHost(host: SimHost, nodeIp: string): HostNode {
    const node = new HostNode(host, nodeIp, this)
    this.nodes.push(node)
    // Hosts start side by side: what is chosen among them is by their names.
    this.nodes.sort((a, b) => (a.host.name < b.host.name ? -1 : 1))
    host.services.push(this, node)
    return node
  }

  nodeOf(host: SimHost): HostNode {
    const found = this.nodes.find((node) => node.host === host)
    if (found === undefined) throw new Error(`${host.name} is none of these hosts`)
    return found
  }

  /** The cluster of an authority, as a certificate in PEM has it. */
  of(ca: string): HostCluster | undefined {
    return this.#clusters.get(publicKeyText(ca))
  }

  add(cluster: HostCluster): void {
    this.#clusters.set(cluster.authority, cluster)
  }

  /** Nobody has a member of its etcd any more. */
  async end(cluster: HostCluster): Promise<void> {
    this.#clusters.delete(cluster.authority)
    await cluster.end()
  }

  /** Where an address leads, as hosts see it. */
  route(address: string): string | undefined {
    const node = this.nodes.find(
      ({ nodeIp, host }) => nodeIp === address || host.address === address,
    )
    if (node) return node.host.address
    if (address === this.balancer) return address
    const cluster = this.all.find(({ endpoint }) => endpoint.host === address)
    if (!cluster) return undefined
    return address.startsWith('127.') ? address : cluster.holder?.host.address
  }

  async run(host: SimHost, run: ProgramRun): Promise<number | undefined> {
    const node = this.nodeOf(host)
    // What a script did before is seen first.
    await node.sync()
    switch (run.program) {
      case 'kubeadm':
        return runKubeadm({ clusters: this, node, run })
      case 'kubelet':
        if (run.args.includes('--version'))
          run.out(`Kubernetes ${await node.installedVersion('kubelet')}`)
        return 0
      case 'crictl':
        return runCrictl({ clusters: this, node, run })
      case 'ctr':
        return runCtr({ clusters: this, node, run })
      case 'etcdutl':
        return runEtcdutl({ clusters: this, node, run })
      case 'ip':
        return runIp({ clusters: this, node, run })
      default:
        return undefined
    }
  }
}

/** One run of a program on a host that may be a node. */
export interface NodeRun {
  readonly clusters: HostClusters
  readonly node: HostNode
  readonly run: ProgramRun
}
