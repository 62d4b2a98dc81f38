import { MachineService } from './gen/machine/machine_pb.js'
import type { CallOptions } from './talos-caller.ts'
import type { TalosClient } from './talos-client.ts'

const { method } = MachineService

/** How long a snapshot of any size may take one way, in milliseconds. */
const snapshotMs = 60 * 60_000

/** How much is sent to a node at once, in bytes; the limit for one message is 32 MiB. */
const pieceSize = 256 << 10

/** A snapshot of the node's own etcd as it comes; it ends with the SHA-256 of what is before. */
export async function* snapshotEtcd(
  client: TalosClient,
  options?: CallOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const pieces = client.stream(method.etcdSnapshot, {}, { timeoutMs: snapshotMs, ...options })
  for await (const { bytes } of pieces) yield bytes
}

/** Hands the node a snapshot for `bootstrapFromSnapshot`; a second one takes the place of the first. */
export async function uploadSnapshot(
  client: TalosClient,
  chunks: AsyncIterable<Uint8Array>,
  options?: CallOptions,
): Promise<void> {
  await client.upload(method.etcdRecover, inPieces(chunks), { timeoutMs: snapshotMs, ...options })
}

/** Creates the etcd cluster on this node, with the content of the snapshot that it was handed. */
export async function bootstrapFromSnapshot(
  client: TalosClient,
  options?: CallOptions,
): Promise<void> {
  const request = { recoverEtcd: true, recoverSkipHashCheck: false }
  await client.unary(method.bootstrap, request, { timeoutMs: 120_000, ...options })
}

/**
 * Wipes the node's data (etcd's, images, logs, pods' local files) and reboots it; its config stays. It does
 * not leave etcd first: there is none to leave.
 */
export async function wipeData(client: TalosClient, options?: CallOptions): Promise<void> {
  const systemPartitionsToWipe = [{ label: 'EPHEMERAL', wipe: true }]
  const request = { graceful: false, reboot: true, systemPartitionsToWipe }
  await client.unary(method.reset, request, { timeoutMs: 60_000, ...options })
}

/** Starts a service of the node anew, such as `kubelet`. */
export async function restartService(
  client: TalosClient,
  id: string,
  options?: CallOptions,
): Promise<void> {
  await client.unary(method.serviceRestart, { id }, options)
}

async function* inPieces(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ bytes: Uint8Array }, void, undefined> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += pieceSize) {
      yield { bytes: chunk.subarray(at, at + pieceSize) }
    }
  }
}
