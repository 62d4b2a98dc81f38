import { argument } from '../../setting.ts'
import { defineVerb, forever } from './define-verb.ts'

export const read = defineVerb({
  name: 'read',
  description: 'a file of a node, on standard output',
  prints: 'bytes',
  role: 'os:admin',
  takes: { path: argument('<path>') },
  async run({ cluster, terminal }, { path }) {
    const { byteLines } = await import('../../../commands/talos/byte-lines.ts')
    const { onlyNode } = await import('../../../commands/talos/reached-cluster.ts')
    const { api } = onlyNode(cluster.nodes)
    for await (const line of byteLines(api.machine.read(path, forever))) terminal.printBytes(line)
  },
})
