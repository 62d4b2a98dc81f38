import { askNodes } from './ask-nodes.ts'
import { defineVerb } from './define-verb.ts'

export const version = defineVerb({
  name: 'version',
  description: 'which Talos the nodes run',
  prints: 'report',
  role: 'os:reader',
  takes: {},
  async run(parts, { output }) {
    const { versionReport } = await import('../../../commands/talos/service-report.ts')
    await askNodes(parts, output, versionReport)
  },
})
