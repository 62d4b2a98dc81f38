import { askNodes } from './ask-nodes.ts'
import { defineVerb } from './define-verb.ts'

export const memory = defineVerb({
  name: 'memory',
  description: 'memory of the nodes',
  prints: 'report',
  role: 'os:reader',
  takes: {},
  async run(parts, { output }) {
    const { memoryReport } = await import('../../../commands/talos/system-report.ts')
    await askNodes(parts, output, memoryReport)
  },
})
