import { createHash } from 'node:crypto'
import {
  lookAtEtcdScript,
  printDatabaseScript,
  printSnapshotScript,
} from '../../kubeadm/acts/etcd-scripts.ts'
import { type EtcdLook, readEtcdLook } from '../../kubeadm/cluster/read-etcd-look.ts'
import type { EtcdMark } from '../../planner/etcd-beginning.ts'
import { scriptOutput } from '../../run/kubeadm/host-script.ts'
import { readOutput } from '../../ssh/read-output.ts'
import type { RemoteHost } from '../../ssh/ssh-pool.ts'
import type { EtcdSource, NoEtcdSource } from '../etcd-sources.ts'

/** A control plane that has data of etcd, and how it is read. */
export interface HostSource extends EtcdSource {
  readonly remote: RemoteHost
  /** What its data is, for a comparison at another time. */
  readonly mark: EtcdMark
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
export function sourceOf({ name, remote, look }: SeenEtcd): HostSource | NoEtcdSource {
  const { status, database } = look
  // A learner serves no snapshots, and its data is only on its way.
  if (status?.isLearner) return { reason: `${name} has no vote in etcd yet`, isEmpty: false }
  if (status !== undefined) {
    return {
      name,
      remote,
      kind: status.hasLeader ? 'quorum' : 'alone',
      progress: status.applied,
      mark: { applied: String(status.applied) },
      leads: status.leads,
      errors: status.errors,
    }
  }
  if (database === undefined) return { reason: `${name} has no data of etcd`, isEmpty: true }
  if (database === 'none') {
    return { reason: `${name} has data of etcd without a database`, isEmpty: false }
  }
  const { size, modified } = database
  return {
    name,
    remote,
    kind: 'file',
    progress: BigInt(modified),
    mark: { database: `${name}: ${size} bytes at ${modified}` },
    leads: false,
    errors: [],
  }
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
