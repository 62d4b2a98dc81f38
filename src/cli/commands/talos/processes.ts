import { askNodes } from './ask-nodes.ts'
import { defineVerb } from './define-verb.ts'

export const processes = defineVerb({
  name: 'processes',
  description: 'processes of the nodes, the largest first',
  prints: 'report',
  role: 'os:reader',
  takes: {},
  async run(parts, { output }) {
    const { processesReport } = await import('../../../commands/talos/system-report.ts')
    await askNodes(parts, output, processesReport)
  },
})
