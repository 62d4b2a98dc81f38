import { createHash } from 'node:crypto'
import type { ClusterContent } from '../kubernetes/cluster-content.ts'
import type { KubeObject } from '../kubernetes/model/kube-object.ts'
import type { Etcd } from './etcd.ts'

const mark = 'simulated etcd snapshot\n'

/** A database consists of whole pages. */
const pageSize = 4_096
const hashLength = 32

/** All that an etcd holds; as etcd's own snapshots, it ends with the SHA-256 of what comes before. */
export function writeSnapshot(etcd: Etcd, content: ClusterContent | undefined): Buffer {
  const members = [...etcd.members.values()].map(({ hostname }) => hostname)
  const text = Buffer.from(mark + JSON.stringify({ etcd: etcd.id, members, content }))
  const body = Buffer.alloc(Math.ceil(text.length / pageSize) * pageSize, '\n')
  text.copy(body)
  return Buffer.concat([body, createHash('sha256').update(body).digest()])
}

export function isWholeSnapshot(snapshot: Uint8Array): boolean {
  const [body, hash] = [snapshot.subarray(0, -hashLength), snapshot.subarray(-hashLength)]
  return createHash('sha256').update(body).digest().equals(hash)
}

/** What it holds; undefined for what is no snapshot. */
export function readSnapshot(snapshot: Uint8Array): ClusterContent | undefined {
  const text = Buffer.from(snapshot.subarray(0, -hashLength)).toString('utf8')
  if (!text.startsWith(mark)) return undefined
  const found: { content?: ClusterContent } = JSON.parse(text.slice(mark.length))
  return found.content ?? { version: 1, objects: [] satisfies KubeObject[] }
}
