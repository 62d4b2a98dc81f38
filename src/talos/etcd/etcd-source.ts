import { createHash } from 'node:crypto'
import { bytesOf } from '../../lib/bytes-of.ts'
import { talosApi } from '../api/talos-api.ts'
import type { TalosConnection } from '../api/talos-caller.ts'
import type { ControlPlane } from '../control-plane.ts'

/** Where Talos keeps etcd's database. */
const databasePath = '/var/lib/etcd/member/snap/db'

/** A snapshot may take as long as its bytes come. */
const timeoutMs = Number.POSITIVE_INFINITY

/** How long etcd may take to say how far it is, in milliseconds: one without a quorum may not answer at all. */
const statusWithinMs = 7_000

/** How far an etcd had come: by raft's own count, which all its members share, or by one member's file. */
export type EtcdMark = { readonly applied: string } | { readonly database: string }

/** A control plane that has data of etcd, and how it is read. */
export interface EtcdSource {
  readonly name: string
  readonly controlPlane: ControlPlane
  /**
   * `quorum`: a member that sees a leader; `alone`: one that sees none, and answers all the same; `file`: its etcd
   * does not answer (one that was restarted without a quorum never does), and the database is read from the disk.
   */
  readonly kind: 'quorum' | 'alone' | 'file'
  /** How far it has come, in the order of what is newest: the raft index, or for a file the seconds since 1970. */
  readonly progress: bigint
  /** What its data is, for a comparison at another time. */
  readonly mark: EtcdMark
  readonly leads: boolean
  /** What it says is wrong with it. */
  readonly errors: readonly string[]
}

/** A control plane of which nothing can be read. */
export interface NoSource {
  readonly reason: string
  /** Whether it is known to hold nothing. */
  readonly isEmpty: boolean
}

/** Looks at what a control plane has of etcd. */
export async function findEtcdSource(controlPlane: ControlPlane): Promise<EtcdSource | NoSource> {
  const { client } = controlPlane
  let problem = 'its etcd reports no status'
  try {
    const member = await askMember(controlPlane)
    if (member) return member
  } catch (error) {
    client.throwIfAborted()
    problem = error instanceof Error ? error.message : String(error)
  }
  return await findDatabase(controlPlane, problem)
}

/** Undefined for a member that says nothing of itself, or that serves nobody. */
async function askMember(controlPlane: ControlPlane): Promise<EtcdSource | undefined> {
  const { machine } = talosApi(controlPlane.client)
  const { memberStatus: status } = await machine.etcdStatus({ timeoutMs: statusWithinMs })
  // A learner serves no snapshots.
  if (status === undefined || status.isLearner) return undefined
  return {
    name: controlPlane.name,
    controlPlane,
    kind: status.leader === 0n ? 'alone' : 'quorum',
    progress: status.raftAppliedIndex,
    mark: { applied: String(status.raftAppliedIndex) },
    leads: status.leader === status.memberId,
    errors: status.errors,
  }
}

async function findDatabase(
  controlPlane: ControlPlane,
  problem: string,
): Promise<EtcdSource | NoSource> {
  const { name, client } = controlPlane
  const nothing = { reason: `${name}: ${problem}`, isEmpty: false }
  try {
    for await (const { isDir, size, modified } of talosApi(client).machine.list(databasePath)) {
      if (isDir) continue
      const mark = { database: `${name}: ${size} bytes at ${modified}` }
      const facts = { progress: modified, mark, leads: false, errors: [] }
      return { name, controlPlane, kind: 'file', ...facts }
    }
    return nothing
  } catch (error) {
    client.throwIfAborted()
    const isEmpty = error instanceof Error && /no such file/i.test(error.message)
    return isEmpty ? { reason: `${name} has no data of etcd`, isEmpty } : nothing
  }
}

/**
 * The data as a snapshot that etcd's own tools take: what etcd sends, or its database with the hash at its end that
 * etcd would put there. A database is read while nothing writes to it: its etcd has no quorum.
 */
export function readEtcdSource({
  controlPlane: { client },
  kind,
}: Pick<EtcdSource, 'controlPlane' | 'kind'>): AsyncGenerator<Uint8Array, void, undefined> {
  return kind === 'file'
    ? readDatabase(client)
    : bytesOf(talosApi(client).machine.etcdSnapshot({ timeoutMs }))
}

async function* readDatabase(client: TalosConnection): AsyncGenerator<Uint8Array, void, undefined> {
  const hash = createHash('sha256')
  for await (const bytes of bytesOf(talosApi(client).machine.read(databasePath, { timeoutMs }))) {
    hash.update(bytes)
    yield bytes
  }
  yield hash.digest()
}
