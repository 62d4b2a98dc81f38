import { createHash } from 'node:crypto'
import type { ClusterContent } from '../kubernetes/cluster-content.ts'
import type { KubeObject } from '../kubernetes/model/kube-object.ts'
import type { Etcd } from './etcd.ts'
import type { TalosNode } from './talos-node.ts'

/** The header of a bolt database's first page, as far as it says what it is, and then what is simulated. */
const boltMagic = 0xed0cdaed
const header = Buffer.alloc(24)
header.writeUInt32LE(boltMagic, 16)
header.writeUInt32LE(2, 20)
const mark = Buffer.concat([header, Buffer.from('simulated etcd snapshot\n')])

/** A database consists of whole pages. */
const pageSize = 4_096
const hashLength = 32

/** All that an etcd holds; as etcd's own snapshots, it ends with the SHA-256 of what comes before. */
export function writeSnapshot(etcd: Etcd, content: ClusterContent | undefined): Buffer {
  const members = [...etcd.members.values()].map(({ hostname }) => hostname)
  const text = Buffer.concat([
    mark,
    Buffer.from(JSON.stringify({ etcd: etcd.id, members, content })),
  ])
  const body = Buffer.alloc(Math.ceil(text.length / pageSize) * pageSize, '\n')
  text.copy(body)
  return Buffer.concat([body, createHash('sha256').update(body).digest()])
}

/** The database as it lies on a member's disk: the same without the hash. */
export function databaseOf(etcd: Etcd, content: ClusterContent | undefined): Buffer {
  return writeSnapshot(etcd, content).subarray(0, -hashLength)
}

/** What Kubernetes keeps in this etcd. */
export function contentOf(node: TalosNode, etcd: Etcd): ClusterContent | undefined {
  return node.cluster?.kubernetes.get(etcd.id)?.kubernetes.content?.()
}

export function isCompleteSnapshot(snapshot: Uint8Array): boolean {
  const [body, hash] = [snapshot.subarray(0, -hashLength), snapshot.subarray(-hashLength)]
  return createHash('sha256').update(body).digest().equals(hash)
}

/** What it holds; undefined for what is no snapshot. */
export function readSnapshot(snapshot: Uint8Array): ClusterContent | undefined {
  const body = Buffer.from(snapshot.subarray(0, -hashLength))
  if (!body.subarray(0, mark.length).equals(mark)) return undefined
  const text = body.subarray(mark.length).toString('utf8')
  const found: { content?: ClusterContent } = JSON.parse(text)
  return found.content ?? { version: 1, objects: [] satisfies KubeObject[] }
}
