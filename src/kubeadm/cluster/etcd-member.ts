/** A member of etcd as the others list it. */
export interface EtcdMember {
  /** In hex, as etcdctl prints it. */
  readonly id: string
  /** Empty while it has never started. */
  readonly name: string
  readonly peerUrls: readonly string[]
  /** Not yet promoted: it has no vote. */
  readonly isLearner: boolean
  /** Whether it answers; undefined where nobody asked it. */
  readonly isHealthy: boolean | undefined
}
