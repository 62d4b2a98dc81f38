import { ClusterError } from '../../lib/cluster-error.ts'
import { formatBytes } from '../../lib/format-bytes.ts'
import type { TalosApi } from '../../talos/api/talos-api.ts'
import { type TalosReport, tableOf } from './report.ts'

export interface ListRequest {
  readonly path: string
  readonly recurse: boolean
  readonly depth: number
  readonly types: readonly ('file' | 'folder' | 'link')[]
}

/** What is in a folder of a node. Throws what the node says of a path that is not there. */
export async function listReport(
  { machine }: TalosApi,
  { path, recurse, depth, types }: ListRequest,
): Promise<TalosReport> {
  const files: FileFacts[] = []
  for await (const info of machine.list(path, { recurse, depth, types })) {
    const { size, mode, uid, gid, modified, relativeName, link, error } = info
    files.push({
      name: relativeName,
      size: Number(size),
      mode: fileMode(mode),
      owner: `${uid}:${gid}`,
      modified: new Date(Number(modified) * 1_000).toISOString(),
      link,
      error,
    })
  }
  const table = tableOf(
    files,
    [
      ['MODE', (each) => each.mode],
      ['OWNER', (each) => each.owner],
      ['SIZE', (each) => formatBytes(each.size)],
      ['MODIFIED', (each) => (each.error === '' ? each.modified : '')],
      ['NAME', (each) => nameOf(each)],
    ],
    ({ error, link, ...file }) => ({ ...file, ...(link && { link }), ...(error && { error }) }),
  )
  return { ...table, ...failureOf(files, 'list files') }
}

/** The node goes on after a file that it cannot read, and says so in its place. */
function failureOf(
  files: readonly Pick<FileFacts, 'name' | 'error'>[],
  operation: string,
): Pick<TalosReport, 'failure'> {
  const [first, ...others] = files.filter(({ error }) => error !== '')
  if (first === undefined) return {}
  const more = others.length === 0 ? '' : `, and ${others.length} more`
  const message = `${first.name} cannot be read: ${first.error}${more}`
  return { failure: new ClusterError('talos-refused', message, { operation }) }
}

interface FileFacts {
  readonly name: string
  readonly size: number
  readonly mode: string
  readonly owner: string
  readonly modified: string
  readonly link: string
  readonly error: string
}

function nameOf({ name, link, error }: FileFacts): string {
  if (error !== '') return `${name}: ${error}`
  return link === '' ? name : `${name} -> ${link}`
}

/** Go's mode bits, as `ls` writes them. */
function fileMode(mode: number): string {
  const kind = mode & 0x80000000 ? 'd' : mode & 0x08000000 ? 'L' : '-'
  const bits = ['r', 'w', 'x', 'r', 'w', 'x', 'r', 'w', 'x']
  return kind + bits.map((bit, index) => (mode & (1 << (8 - index)) ? bit : '-')).join('')
}

export interface UsageRequest {
  readonly paths: readonly string[]
  readonly depth: number
  readonly all: boolean
  readonly threshold: number
}

/** What files and folders of a node take. */
export async function usageReport(
  { machine }: TalosApi,
  { paths, depth, all, threshold }: UsageRequest,
): Promise<TalosReport> {
  const items: { name: string; size: number; error: string }[] = []
  const options = { depth, all, threshold: BigInt(threshold) }
  for await (const { name, size, error } of machine.diskUsage(paths, options)) {
    items.push({ name, size: Number(size), error })
  }
  const table = tableOf(
    items,
    [
      ['SIZE', (each) => formatBytes(each.size)],
      ['NAME', (each) => (each.error === '' ? each.name : `${each.name}: ${each.error}`)],
    ],
    ({ name, size, error }) => ({ name, size, ...(error && { error }) }),
  )
  return { ...table, ...failureOf(items, 'add up files') }
}
