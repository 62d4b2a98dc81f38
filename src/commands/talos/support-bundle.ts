import { describeError } from '../../lib/describe-error.ts'
import type { Json } from '../../lib/json.ts'
import { packEach, type TarFile } from '../../lib/tar-archive.ts'
import type { RunContext } from '../../run/run-context.ts'
import type { TalosApi } from '../../talos/api/talos-api.ts'
import { etcdMembersReport, etcdStatusReport } from './etcd-report.ts'
import { netstatReport } from './netstat-report.ts'
import type { ReachedNode } from './reached-cluster.ts'
import type { TalosReport } from './report.ts'
import { listDefinitions } from './resource-definition.ts'
import { resourceReport } from './resource-report.ts'
import { servicesReport, versionReport } from './service-report.ts'

/** One file of a bundle, and how it is had. */
interface Part {
  readonly path: string
  readonly read: () => Promise<string>
}

/**
 * What somebody needs to know who is to help, of each node, as a tar archive in pieces: versions,
 * services and their logs, the kernel's log, sockets, processes, mounts, etcd and every resource that a
 * reader may read; no machine config and no secret. What could not be had is said in its place.
 */
export function supportBundle(
  context: RunContext,
  nodes: readonly ReachedNode[],
  onNode: (name: string) => void,
): AsyncGenerator<Uint8Array> {
  return packEach(filesOf(context, nodes, onNode))
}

async function* filesOf(
  { redactor, calendar, signal }: RunContext,
  nodes: readonly ReachedNode[],
  onNode: (name: string) => void,
): AsyncGenerator<TarFile> {
  const encoder = new TextEncoder()
  const file = (path: string, text: string): TarFile => ({
    path,
    content: encoder.encode(redactor.redact(text)),
    modified: calendar.now(),
  })
  for (const { name, api } of nodes) {
    onNode(name)
    for await (const { path, read } of partsOf(api)) {
      yield file(`${name}/${path}`, await orReason(read, signal))
    }
  }
}

async function* partsOf(api: TalosApi): AsyncGenerator<Part> {
  const { machine } = api
  yield data('version.json', () => versionReport(api))
  yield data('services.json', () => servicesReport(api))
  yield data('netstat.json', () => netstatReport(api, { processes: true }))
  yield data('etcd-members.json', () => etcdMembersReport(api))
  yield data('etcd-status.json', () => etcdStatusReport(api))
  yield { path: 'dmesg.log', read: () => textOf(machine.dmesg()) }
  yield { path: 'processes.txt', read: async () => processes(await machine.processes()) }
  yield { path: 'mounts.txt', read: async () => mounts(await machine.mounts()) }
  const logs = await machine.logsContainers().catch(() => ({ ids: [] }))
  for (const id of logs.ids) {
    yield { path: `logs/${fileName(id)}.log`, read: () => textOf(machine.logs(id)) }
  }
  const kinds = await listDefinitions(api).catch(() => [])
  for (const { type, namespace, sensitive } of kinds) {
    if (sensitive) continue
    const request = { kind: type, namespace, id: undefined }
    yield data(`resources/${fileName(type)}.json`, () =>
      resourceReport({ api, asAdmin: () => api }, request),
    )
  }
}

function data(path: string, report: () => Promise<TalosReport>): Part {
  return {
    path,
    read: async () => `${JSON.stringify((await report()).data satisfies Json, null, 2)}\n`,
  }
}

async function orReason(read: () => Promise<string>, signal: AbortSignal): Promise<string> {
  try {
    return await read()
  } catch (error) {
    signal.throwIfAborted()
    return `could not be had: ${describeError(error).headline}\n`
  }
}

async function textOf(pieces: AsyncIterable<{ bytes: Uint8Array }>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const { bytes } of pieces) parts.push(bytes)
  return Buffer.concat(parts).toString()
}

function processes({
  processes: all,
}: Awaited<ReturnType<TalosApi['machine']['processes']>>): string {
  return all
    .map(({ pid, ppid, state, residentMemory, executable }) =>
      [pid, ppid, state, residentMemory, executable].join('\t'),
    )
    .map((line) => `${line}\n`)
    .join('')
}

function mounts({ stats }: Awaited<ReturnType<TalosApi['machine']['mounts']>>): string {
  return stats
    .map(({ filesystem, size, available, mountedOn }) =>
      [filesystem, size, available, mountedOn].join('\t'),
    )
    .map((line) => `${line}\n`)
    .join('')
}

function fileName(id: string): string {
  return id.replace(/[^\w.-]/g, '_')
}
