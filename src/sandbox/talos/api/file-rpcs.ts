import { posix } from 'node:path'
import { gzipSync } from 'node:zlib'
import { status } from '@grpc/grpc-js'
import {
  type DiskUsageRequest,
  type ListRequest,
  ListRequest_Type,
  MachineService,
} from '../../../talos/api/gen/machine/machine_pb.js'
import { contentOf, databaseOf } from '../etcd-snapshot.ts'
import { databasePath, type NodeFile, nodeFiles } from '../node-files.ts'
import type { TalosNode } from '../talos-node.ts'
import { type Rpc, RpcError, serverStream } from './rpc.ts'
import { tarMember, tarTrailer } from './tar-bytes.ts'

const { method } = MachineService
const folderMode = 0o20000000755
const fileMode = 0o644

/** How much of a file a node sends at once, in bytes. */
const chunkSize = 32 << 10

export const fileRpcs: readonly Rpc[] = [
  serverStream(method.read, async function* ({ path }, { node }) {
    const { data } = node.etcd
    if (path === databasePath && data !== undefined) {
      const bytes = databaseOf(data.etcd, contentOf(node, data.etcd))
      for (let at = 0; at < bytes.length; at += chunkSize) {
        yield { bytes: bytes.subarray(at, at + chunkSize) }
      }
      return
    }
    const file = nodeFiles(node).find((known) => known.path === path)
    if (file?.kind === 'folder') throw new RpcError(status.UNKNOWN, 'path must be a regular file')
    if (file?.text === undefined) {
      throw new RpcError(status.NOT_FOUND, `stat ${path}: no such file or directory`)
    }
    yield { bytes: Buffer.from(file.text) }
  }),
  serverStream(method.copy, async function* ({ rootPath }, { node }) {
    yield { bytes: archiveOf(posix.normalize(rootPath), node) }
  }),
  serverStream(method.list, async function* (request, { node }) {
    yield* list(request, node)
  }),
  serverStream(method.diskUsage, async function* (request, { node }) {
    yield* diskUsage(request, node)
  }),
]

/** Names are from the root on; one file has its own. */
function archiveOf(base: string, node: TalosNode): Uint8Array {
  const files = nodeFiles(node).filter(({ path }) => isWithin(base, path, Number.MAX_SAFE_INTEGER))
  if (files.length === 0) {
    throw new RpcError(status.UNKNOWN, `lstat ${base}: no such file or directory`)
  }
  const entries = files.flatMap(({ path, text }) =>
    text === undefined ? [] : [tarMember(posix.relative(base, path) || posix.basename(path), text)],
  )
  return gzipSync(Buffer.concat([...entries, tarTrailer]))
}

function* list({ root, recurse, recursionDepth, types }: ListRequest, node: TalosNode) {
  const files = nodeFiles(node)
  const base = posix.normalize(root || '/')
  const start = files.find(({ path }) => path === base)
  if (start === undefined) {
    throw new RpcError(status.UNKNOWN, `lstat ${base}: no such file or directory`)
  }
  const deepest = recurse ? recursionDepth || Number.MAX_SAFE_INTEGER : 1
  const wanted = new Set(types)
  for (const file of files.filter(({ path }) => isWithin(base, path, deepest))) {
    const isDir = file.kind === 'folder'
    const type = isDir ? ListRequest_Type.DIRECTORY : ListRequest_Type.REGULAR
    if (wanted.size > 0 && !wanted.has(type)) continue
    yield {
      name: file.path,
      relativeName: posix.relative(base, file.path) || '.',
      size: BigInt(file.size),
      mode: isDir ? folderMode : fileMode,
      modified: modifiedAt(file, node),
      isDir,
    }
  }
}

/** A database is as old as its last write. */
function modifiedAt({ path }: NodeFile, node: TalosNode): bigint {
  if (path === databasePath) return node.etcd.data?.etcd.raft.index ?? 0n
  return BigInt(Math.floor(node.world.clock.now() / 1_000))
}

/** Sums come after what they are the sums of, as from `du`. Of a depth of 2 it tells the root and what is in it; of 0, all. */
function* diskUsage({ paths, recursionDepth, all, threshold }: DiskUsageRequest, node: TalosNode) {
  const files = nodeFiles(node)
  for (const root of paths.length > 0 ? paths : ['/']) {
    const base = posix.normalize(root)
    const deepest = recursionDepth === 0 ? Number.MAX_SAFE_INTEGER : recursionDepth - 1
    const below = files.filter(({ path }) => isWithin(base, path, deepest))
    if (!files.some(({ path }) => path === base)) {
      yield { name: base, relativeName: base, error: `lstat ${base}: no such file or directory` }
    }
    const listed = below.filter(({ kind, path }) => kind === 'folder' || all || path === base)
    for (const file of listed.toReversed()) {
      const size = BigInt(sizeOf(file, files))
      const relativeName = posix.relative(base, file.path) || '.'
      if (passes(size, threshold)) yield { name: file.path, relativeName, size }
    }
  }
}

/** A negative threshold leaves out what is larger. */
function passes(size: bigint, threshold: bigint): boolean {
  return threshold < 0n ? size <= -threshold : size >= threshold
}

function sizeOf(file: NodeFile, files: readonly NodeFile[]): number {
  return files
    .filter(({ path }) => isWithin(file.path, path, Number.MAX_SAFE_INTEGER))
    .reduce((sum, { size }) => sum + size, 0)
}

/** Whether a path is the base, or no more than so many steps below it. */
function isWithin(base: string, path: string, depth: number): boolean {
  if (path === base) return true
  const prefix = base === '/' ? base : `${base}/`
  return path.startsWith(prefix) && path.slice(prefix.length).split('/').length <= depth
}
