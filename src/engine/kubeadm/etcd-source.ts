import { createHash } from 'node:crypto'
import {
  lookAtEtcdScript,
  printDatabaseScript,
  printSnapshotScript,
} from '../../kubeadm/acts/etcd-scripts.ts'
import { type EtcdLook, readEtcdLook } from '../../kubeadm/cluster/read-etcd-look.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import type { EtcdMark } from '../../planner/etcd-beginning.ts'
import { scriptOutput } from '../../run/kubeadm/host-script.ts'
import { readOutput } from '../../ssh/read-output.ts'
import type { RemoteHost } from '../../ssh/ssh-pool.ts'

/** A control plane that has data of etcd, and how it is read. */
export interface HostSource {
  readonly name: string
  readonly remote: RemoteHost
  /**
   * `quorum`: a member that sees a leader; `alone`: one that sees none, and answers all the same; `file`: its etcd does not
   * answer (one that was restarted without a quorum never does), and the database is read from the disk.
   */
  readonly kind: 'quorum' | 'alone' | 'file'
  /** How far it has come: the raft index, or for a file the seconds since 1970. */
  readonly progress: bigint
  /** What its data is, for a comparison at another time. */
  readonly mark: EtcdMark
  readonly leads: boolean
  /** What speaks against this member where there is a better one. */
  readonly doubt: string | undefined
  /** Why no etcd should begin with this data. */
  readonly unfit: string | undefined
}

/** A control plane of which nothing can be read. */
export interface NoHostSource {
  readonly name: string
  readonly reason: string
  /** Whether it is known to hold nothing. */
  readonly isEmpty: boolean
}

/** What was found of etcd on a control plane that was reached. */
export interface SeenEtcd {
  readonly name: string
  readonly remote: RemoteHost
  readonly look: EtcdLook
}

const lookMs = 60_000
/** How long the bytes of a snapshot may take, in milliseconds: a large one over a slow line. */
const readMs = 6 * 3_600_000

/** Looks at what a control plane has of etcd, and changes nothing. */
export async function lookAtEtcd(name: string, remote: RemoteHost): Promise<SeenEtcd> {
  const printed = await scriptOutput(remote, {
    title: 'look at etcd',
    text: lookAtEtcdScript,
    withinMs: lookMs,
    isRepeatable: true,
  })
  return { name, remote, look: readEtcdLook(printed) }
}

/** Pure. */
export function sourceOf({ name, remote, look }: SeenEtcd): HostSource | NoHostSource {
  const { status, database } = look
  // A learner serves no snapshots, and its data is only on its way.
  if (status?.isLearner) return { name, reason: `${name} has no vote in etcd yet`, isEmpty: false }
  if (status !== undefined) {
    return {
      name,
      remote,
      kind: status.seesLeader ? 'quorum' : 'alone',
      progress: status.applied,
      mark: { applied: String(status.applied) },
      leads: status.leads,
      // What is full, or lost its leader, can be read as well as any other.
      doubt: status.errors.find((error) => !/no leader|nospace/i.test(error)),
      unfit: status.errors.find((error) => /corrupt/i.test(error)),
    }
  }
  if (database === undefined) return { name, reason: `${name} has no data of etcd`, isEmpty: true }
  if (database === 'none') {
    return { name, reason: `${name} has data of etcd without a database`, isEmpty: false }
  }
  const { size, modified } = database
  return {
    name,
    remote,
    kind: 'file',
    progress: BigInt(modified),
    mark: { database: `${name}: ${size} bytes at ${modified}` },
    leads: false,
    doubt: undefined,
    unfit: undefined,
  }
}

export interface ChosenSource {
  readonly source: HostSource
  /** What the others say that have nothing to read: without a quorum one of them may hold newer data. */
  readonly silent: readonly string[]
}

/**
 * The control plane whose etcd a snapshot is best taken of: a member that sees a leader and reports no errors; of those the
 * one that is furthest ahead, and rather not the leader, which has work enough. Where none sees a leader, the survivor that
 * is furthest ahead. Throws `etcd-unhealthy` where there is nothing to read. Pure.
 */
export function chooseSource(
  seen: readonly SeenEtcd[],
  unreached: readonly string[],
): ChosenSource {
  const answers = seen.map(sourceOf)
  const found = answers.filter((answer) => 'kind' in answer)
  const silent = [
    ...unreached,
    ...answers.flatMap((answer) => ('reason' in answer ? [answer.reason] : [])),
    ...found.flatMap(({ name, unfit }) => (unfit === undefined ? [] : [`${name}: ${unfit}`])),
  ]
  const [source] = found.filter(({ unfit }) => unfit === undefined).sort(compare)
  if (source) return { source, silent }
  throw new ClusterError(
    'etcd-unhealthy',
    `no control plane has an etcd that a snapshot could be taken of: ${silent.join('; ') || 'there is none'}`,
    {
      operation: 'take a snapshot',
      hint: 'Start the control planes that are off, and take the snapshot of what they hold; where all their data is lost, restore an earlier snapshot with `hcloud-talos restore`.',
    },
  )
}

const rank = { quorum: 0, alone: 1, file: 2 } as const

function compare(a: HostSource, b: HostSource): number {
  return (
    rank[a.kind] - rank[b.kind] ||
    Number(a.doubt !== undefined) - Number(b.doubt !== undefined) ||
    Number(b.progress - a.progress) ||
    Number(a.leads) - Number(b.leads)
  )
}

/**
 * The data as a snapshot that etcd's own tools take: what etcd sends, or its database with the hash at its end that etcd
 * would put there. A database is read while nothing writes to it: its etcd has no quorum.
 */
export function readSource({
  remote,
  kind,
}: Pick<HostSource, 'remote' | 'kind'>): AsyncGenerator<Uint8Array, void, undefined> {
  return kind === 'file'
    ? readDatabase(remote)
    : readOutput(remote, {
        title: 'take a snapshot of etcd',
        text: printSnapshotScript,
        withinMs: readMs,
      })
}

async function* readDatabase(remote: RemoteHost): AsyncGenerator<Uint8Array, void, undefined> {
  const hash = createHash('sha256')
  const script = { title: 'read the database of etcd', text: printDatabaseScript, withinMs: readMs }
  for await (const bytes of readOutput(remote, script)) {
    hash.update(bytes)
    yield bytes
  }
  yield hash.digest()
}
