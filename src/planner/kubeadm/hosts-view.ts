import type { SeenCluster } from '../../kubeadm/cluster/seen-cluster.ts'
import type { SeenHost } from '../../kubeadm/host/seen-host.ts'
import type { HostsSpec } from '../../spec/hosts/hosts-spec.ts'
import type { KnownCluster } from '../known-cluster.ts'

export type { SeenCluster } from '../../kubeadm/cluster/seen-cluster.ts'

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
