import { basename } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { byteLines } from '../../../commands/talos/byte-lines.ts'
import { capturedPackets } from '../../../commands/talos/captured-packets.ts'
import { nodeSnapshot } from '../../../commands/talos/node-snapshot.ts'
import { parseBpf } from '../../../commands/talos/parse-bpf.ts'
import { onlyNode } from '../../../commands/talos/reached-cluster.ts'
import { supportBundle } from '../../../commands/talos/support-bundle.ts'
import { bytesOf } from '../../../lib/bytes-of.ts'
import { formatBytes } from '../../../lib/format-bytes.ts'
import { visibleLine } from '../../../lib/visible-text.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { writePrivateStream } from '../../terminal/write-private-stream.ts'
import { extractArchive } from './extract-archive.ts'
import { reportNext } from './report-next.ts'
import { firstArgument, type Verb } from './verb.ts'

const forever = { timeoutMs: Number.POSITIVE_INFINITY }

/** Verbs that bring files. */
export const fileVerbs = {
  read: {
    role: 'os:admin',
    async run(parts) {
      const { api } = onlyNode(parts.cluster.nodes)
      const lines = byteLines(api.machine.read(firstArgument(parts), forever))
      for await (const line of lines) parts.terminal.printBytes(line)
    },
  },
  copy: {
    role: 'os:admin',
    async run(parts) {
      const { cluster, terminal, args, options } = parts
      const { api } = onlyNode(cluster.nodes)
      const path = firstArgument(parts)
      const pieces = bytesOf(api.machine.copy(path, forever))
      if (options.out !== undefined) return writeReported(terminal, options.out, pieces)
      const folder = args[1] ?? (basename(path) || 'root')
      const { files, bytes, leftOut } = await extractArchive(pieces, folder)
      const size = formatBytes(bytes)
      terminal.report(`wrote ${files} ${files === 1 ? 'file' : 'files'} into ${folder}, ${size}`)
      if (leftOut.length === 0) return
      const which = leftOut.slice(0, 3).map(visibleLine).join(', ')
      const more = leftOut.length > 3 ? `, and ${leftOut.length - 3} more` : ''
      terminal.report(`left out, since they are links or devices: ${which}${more}`)
    },
  },
  'etcd snapshot': {
    role: 'os:etcd:backup',
    async run(parts) {
      const { cluster, context, terminal } = parts
      const { node, bytes } = await nodeSnapshot(
        context,
        cluster.controlPlanes,
        reportNext(terminal),
      )
      await writeReported(terminal, firstArgument(parts), bytes, `, of ${node.name}`)
    },
  },
  pcap: {
    role: 'os:operator',
    async run({ cluster, context, options, terminal }) {
      const node = onlyNode(cluster.nodes)
      const { interface: link = 'eth0', promiscuous = false, snapLength, bpfFilter } = options
      const { duration, out = 'talos.pcap' } = options
      const stop = duration === undefined ? undefined : AbortSignal.timeout(duration * 1_000)
      const capture = {
        link,
        promiscuous,
        ...(snapLength !== undefined && { snapLength }),
        ...(bpfFilter !== undefined && { filter: parseBpf(bpfFilter) }),
      }
      await writeReported(terminal, out, capturedPackets(context, node, capture, stop))
      context.signal.throwIfAborted()
    },
  },
  support: {
    role: 'os:reader',
    async run({ cluster, context, options, terminal }) {
      const archive = supportBundle(context, cluster.nodes, (name) =>
        terminal.report(`asking ${name}`),
      )
      const packed = new PassThrough()
      const packing = pipeline(archive, createGzip(), packed)
      const written = writeReported(terminal, options.out ?? 'support.tar.gz', packed)
      await Promise.all([packing, written])
    },
  },
} as const satisfies Record<string, Verb>

async function writeReported(
  terminal: Terminal,
  path: string,
  pieces: AsyncIterable<Uint8Array>,
  source = '',
): Promise<void> {
  terminal.report(`wrote ${path}, ${formatBytes(await writePrivateStream(path, pieces))}${source}`)
}
