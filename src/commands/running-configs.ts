import type { ConfigDifference } from '../talos/config/diff-configs.ts'

/** With their v. */
export interface NodeVersions {
  readonly talos: string | undefined
  readonly kubelet: string
}

/** What the nodes themselves say of their machine configs. */
export interface RunningConfigs {
  /** The fields in which it is not the one that we gave, by name; none for a node that runs ours. */
  readonly drifts: ReadonlyMap<string, readonly ConfigDifference[]>
  /** Why a node could not be asked, by name: nothing is known of these. */
  readonly unread: ReadonlyMap<string, string>
  /** What etcd raises alarms of, as sentences. */
  readonly alarms?: readonly string[] | undefined
  /** The versions that nodes report to Kubernetes, by name. */
  readonly versions?: ReadonlyMap<string, NodeVersions> | undefined
  /** Nodes that runs of ours have cordoned, each with the run. */
  readonly cordoned?: ReadonlyMap<string, string> | undefined
  /** Names of nodes that run and that Kubernetes does not know. */
  readonly unregistered?: ReadonlySet<string> | undefined
}
