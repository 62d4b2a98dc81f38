import { ClusterError } from '../lib/cluster-error.ts'

/** What a control plane has of etcd, as far as a restore is judged by it. */
export interface JudgedEtcd {
  readonly name: string
  /** `alive` and `unreachable` are what counts; whatever else it has is wiped or is not there. */
  readonly condition: string
}

/** What a restore may do. */
export interface RestoreWord {
  readonly resumes: boolean
  /** Somebody said that what is newer than the snapshot may be lost. */
  readonly discardEtcd: boolean
  /** Control planes whose data is newer than the snapshot, or may be. */
  readonly newer: readonly string[]
  /** What to do about a control plane that does not answer, as a hint. */
  readonly aboutSilent: string
}

/**
 * Refuses to restore what is not lost: unknown is not absent, so a control plane that exists and does not
 * answer counts as one that may come back with a vote. Throws `etcd-alive`.
 */
export function refuseUnlost(
  judged: readonly JudgedEtcd[],
  { resumes, discardEtcd, newer, aboutSilent }: RestoreWord,
): void {
  const silent = judged.find(({ condition }) => condition === 'unreachable')
  if (silent) {
    throw etcdAlive(
      `${silent.name} does not answer, and may be a member of an etcd that lives`,
      aboutSilent,
    )
  }
  if (resumes || discardEtcd) return
  const alive = judged.find(({ condition }) => condition === 'alive')
  if (alive) {
    throw etcdAlive(
      `the etcd of ${alive.name} is alive`,
      'Take a snapshot of it first (`hcloud-talos snapshot`), then give --discard-etcd (the input discard-etcd) to go back all the same.',
    )
  }
  if (newer.length === 0) return
  throw etcdAlive(
    `${newer.join(' and ')} survived with data of etcd that is newer than this snapshot, or may be`,
    'Take a snapshot of the survivor with `hcloud-talos snapshot`, which needs no quorum, and restore that one; to lose what is newer all the same, give --discard-etcd (the input discard-etcd).',
  )
}

function etcdAlive(message: string, hint: string): ClusterError {
  return new ClusterError('etcd-alive', `${message}; nothing was touched`, {
    operation: 'restore etcd',
    hint,
  })
}
