import type { KubernetesObject } from '../../lib/kubernetes-object.ts'
import type { ClusterContent } from '../kubernetes/cluster-content.ts'
import type { World } from '../world.ts'
import type { Taint } from './config/node-config.ts'

/** What a kubelet tells the Kubernetes API about its node. */
export interface NodeRegistration {
  readonly name: string
  readonly internalIp: string
  readonly externalIp?: string
  readonly roleControlPlane: boolean
  readonly labels: Record<string, string>
  readonly annotations: Record<string, string>
  readonly taints: Taint[]
  readonly osImage: string
  readonly kubeletVersion: string
  readonly bootId: string
  readonly serverId: number
  readonly arch: 'amd64' | 'arm64'
  /** What the kubelet of a control plane runs from its disk, and mirrors into the API. */
  readonly staticPods: readonly {
    readonly component: string
    readonly image: string
    readonly ready: boolean
  }[]
}

/** What a simulated node needs of the Kubernetes that lives in its etcd. */
export interface Kubernetes {
  /** Answers on this address, as this version and with certificates of this authority, until it is closed. */
  serve(
    address: string,
    port: number,
    admits: (source: string) => boolean,
    version: string,
    ca?: { readonly crt: string; readonly key: string },
  ): Promise<{ close(): Promise<void> }>
  /** A kubelet registers its node, or renews it; `ended` is its memory of the pods that it ended, by uid. */
  registerNode(node: NodeRegistration, ended: Set<string>): void
  /** A control plane brings its bootstrap manifests: those that are not there are made, others left. */
  createMissing?(objects: readonly KubernetesObject[]): void
  /** A kubelet stopped. */
  nodeDown(name: string): void
  /** The ranges of pods that its nodes have. */
  nodeCidrs?(): string[]
  /** Whether Kubernetes holds the node to be Ready. */
  nodeReady?(name: string): boolean
  /** Tells whenever a node has become Ready, or is so no longer. */
  watchNodes?(notify: () => void): void
  /** Whether there is a Node of this name; always where absent. */
  knowsNode?(name: string): boolean
  /** All that it keeps in etcd; nothing where absent. */
  content?(): ClusterContent
  /** How many writes there were; none where absent. */
  writes?(): number
  /** Its etcd is lost: its controllers do nothing more. */
  close?(): void
}

export interface KubernetesOptions {
  readonly world: World
  readonly clusterName: string
  readonly version: string
  readonly ca: { readonly crt: string; readonly key: string }
  readonly podCidr: string
  readonly serviceCidr: string
  /** What it begins with, where its etcd was made of a snapshot. */
  readonly content?: ClusterContent | undefined
  /** Names and addresses that its server certificate must hold, at this moment. */
  serverSans(): string[]
}

export type CreateKubernetes = (options: KubernetesOptions) => Kubernetes
