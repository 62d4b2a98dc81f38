import type { JsonObject } from '../../lib/json.ts'
import type { EtcdMember } from './etcd-member.ts'

/** A cluster by its own API and by etcd, asked through any healthy control plane. */
export interface SeenCluster {
  /** The control plane that was asked. */
  readonly through: string
  /** `sha256:…`, of the authority that signs its nodes. */
  readonly caHash: string
  /** The ClusterConfiguration that kubeadm keeps in the cluster; undefined while `kubeadm init` has not ended. */
  readonly configuration: JsonObject | undefined
  /** The config of kubelets that those which join are given; undefined where there is none. */
  readonly kubeletConfiguration: JsonObject | undefined
  readonly nodes: readonly SeenNode[]
  readonly members: readonly EtcdMember[]
}

export interface SeenNode {
  readonly name: string
  readonly isControlPlane: boolean
  readonly isReady: boolean
  readonly notReadyBecause: string | undefined
  /** Without v. */
  readonly kubeletVersion: string
  readonly machineId: string
  readonly internalIp: string | undefined
  readonly isCordoned: boolean
  /** The run that cordoned it, where that was one of ours. */
  readonly cordonedBy: string | undefined
  readonly labels: Readonly<Record<string, string>>
  readonly taints: readonly {
    readonly key: string
    readonly value?: string
    readonly effect: string
  }[]
}
