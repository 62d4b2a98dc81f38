import type { EtcdMember } from '../../kubeadm/cluster/etcd-member.ts'
import type { SeenHost } from '../../kubeadm/host/seen-host.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { HostsSpec } from '../../spec/hosts/hosts-spec.ts'
import type { KnownCluster } from '../known-cluster.ts'

/** A cluster on hosts that exist, as it is asked for, remembered and found: all that a plan is made from. */
export interface HostsView extends KnownCluster {
  readonly spec: HostsSpec
  /** Of those in the file and those that the state remembers, by name. */
  readonly hosts: ReadonlyMap<string, HostLook>
  /** What the cluster says of itself; absent where there is none, or nobody could ask it. */
  readonly cluster: SeenCluster | undefined
  /** Why the cluster could not be asked, where there is one. */
  readonly unasked?: string | undefined
  /** Other clusters that the branch knows; looked for where it does not know this one. */
  readonly neighbours?: readonly string[] | undefined
}

/** What came of looking at a host: it may be off, and then nothing is known of it. */
export type HostLook =
  | { readonly kind: 'seen'; readonly host: SeenHost; readonly hostKey: string }
  | { readonly kind: 'unreached'; readonly name: string; readonly because: string }

/** A cluster by its own API and by etcd, asked through any healthy control plane. */
export interface SeenCluster {
  /** The control plane that was asked. */
  readonly through: string
  /** `sha256:…`, of the authority that signs its nodes. */
  readonly caHash: string
  /** The ClusterConfiguration that kubeadm keeps in the cluster; undefined while `kubeadm init` has not ended. */
  readonly configuration: JsonObject | undefined
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
