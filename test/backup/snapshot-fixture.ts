import { createHash } from 'node:crypto'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import type { SnapshotMetadata } from '../../src/backup/snapshot-metadata.ts'
import { seededRandom } from '../../src/lib/random.ts'

export const metadata: SnapshotMetadata = {
  cluster: 'demo',
  uid: '0123456789abcdef',
  node: 'demo-control-plane-1',
  takenAt: '2026-11-28T02:00:00.000Z',
  talosVersion: 'v1.13.9',
  kubernetesVersion: '1.36.3',
}

/** A snapshot as etcd makes it: whole pages of anything, and their hash. */
export function etcdSnapshot(pages: number): Buffer {
  const body = Buffer.from(seededRandom(pages).bytes(pages * 512))
  return Buffer.concat([body, createHash('sha256').update(body).digest()])
}

/** Bytes in pieces of this length, as streams hand them out. */
export async function* inPieces(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

export async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}

export async function ageKey(): Promise<{ identity: string; recipient: string }> {
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}
