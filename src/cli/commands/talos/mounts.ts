import { askNodes } from './ask-nodes.ts'
import { defineVerb } from './define-verb.ts'

export const mounts = defineVerb({
  name: 'mounts',
  description: 'what is mounted on the nodes, and how full it is',
  prints: 'report',
  role: 'os:reader',
  takes: {},
  async run(parts, { output }) {
    const { mountsReport } = await import('../../../commands/talos/system-report.ts')
    await askNodes(parts, output, mountsReport)
  },
})
