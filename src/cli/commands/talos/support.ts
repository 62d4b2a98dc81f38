import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { textOr } from '../../setting.ts'
import { defineVerb } from './define-verb.ts'

export const support = defineVerb({
  name: 'support',
  description: 'what somebody needs to know who is to help, into a file',
  prints: 'bytes',
  role: 'os:reader',
  takes: { out: textOr('--out <file>', 'where it goes', 'support.tar.gz') },
  async run({ cluster, context, terminal }, { out }) {
    const { supportBundle } = await import('../../../commands/talos/support-bundle.ts')
    const { writeReported } = await import('./write-reported.ts')
    const archive = supportBundle(context, cluster.nodes, (name) =>
      terminal.report(`asking ${name}`),
    )
    const packed = new PassThrough()
    const packing = pipeline(archive, createGzip(), packed)
    await Promise.all([packing, writeReported(terminal, out, packed)])
  },
})
