import { basename } from 'node:path'
import { bytesOf } from '../../../lib/bytes-of.ts'
import { formatBytes } from '../../../lib/format-bytes.ts'
import { visibleLine } from '../../../lib/visible-text.ts'
import { argument, optionalArgument, text } from '../../setting.ts'
import { defineVerb, forever } from './define-verb.ts'

export const copy = defineVerb({
  name: 'copy',
  description: 'a file or folder of a node, into a new folder or as an archive',
  prints: 'bytes',
  role: 'os:admin',
  takes: {
    out: text('--out <file>', 'write the tar.gz as it comes'),
    path: argument('<path>'),
    folder: optionalArgument('[folder]'),
  },
  async run({ cluster, terminal }, { path, folder = basename(path) || 'root', out }) {
    const { onlyNode } = await import('../../../commands/talos/reached-cluster.ts')
    const { extractArchive } = await import('./extract-archive.ts')
    const { writeReported } = await import('./write-reported.ts')
    const { api } = onlyNode(cluster.nodes)
    const pieces = bytesOf(api.machine.copy(path, forever))
    if (out !== undefined) return writeReported(terminal, out, pieces)
    const { files, bytes, leftOut } = await extractArchive(pieces, folder)
    const size = formatBytes(bytes)
    terminal.report(`wrote ${files} ${files === 1 ? 'file' : 'files'} into ${folder}, ${size}`)
    if (leftOut.length === 0) return
    const which = leftOut.slice(0, 3).map(visibleLine).join(', ')
    const more = leftOut.length > 3 ? `, and ${leftOut.length - 3} more` : ''
    terminal.report(`left out, since they are links or devices: ${which}${more}`)
  },
})
