import type { DiffRules } from '../../plan/diff-records.ts'
import type { ClusterRecord, RecordKind } from '../../plan/record.ts'
import type { HostsSpec } from '../../spec/hosts/hosts-spec.ts'
import type { FoundCluster } from '../cluster/found-cluster.ts'

/**
 * Everything about one kind of what kubeadm makes of hosts. Whatever desires, reads or compares goes through the table
 * of these (kubeadm-kinds.ts): a kind without one of its parts does not compile. How one is carried out stays in
 * `engine/`, since each takes SSH and Kubernetes.
 */
export interface KubeadmKind {
  readonly name: RecordKind
  /** The records that the spec asks for. */
  desire(request: KubeadmRequest): readonly ClusterRecord[]
  /** What was found, as records of the same form. */
  live(request: KubeadmRequest): readonly ClusterRecord[]
  /** What a change of it means. */
  rules(request: KubeadmRequest): DiffRules
  /** Fields that wait for an upgrade. */
  readonly versionFields: ReadonlySet<string>
}

/**
 * Which versions hosts are to run: `running` leaves them at those that they have (what an apply wants), `spec` wants the
 * file's everywhere (what an upgrade wants).
 */
export type VersionGoal = 'running' | 'spec'

export interface KubeadmRequest {
  readonly spec: HostsSpec
  readonly found: FoundCluster
  readonly goal: VersionGoal
  /** The control plane on which a cluster that does not exist yet begins. */
  readonly first: string | undefined
  /** Hosts that leave and come back although nothing differs, by name, each with the reason. */
  readonly replaced: ReadonlyMap<string, string>
  /** By which certificates are judged, in milliseconds since the epoch; none is renewed where absent. */
  readonly now?: number | undefined
}
