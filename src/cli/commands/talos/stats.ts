import { askNodes } from './ask-nodes.ts'
import { defineVerb } from './define-verb.ts'
import { kubernetesSetting } from './verb-settings.ts'

export const stats = defineVerb({
  name: 'stats',
  description: 'memory and processor time of containers',
  prints: 'report',
  role: 'os:reader',
  takes: { kubernetes: kubernetesSetting() },
  async run(parts, { kubernetes, output }) {
    const { statsReport } = await import('../../../commands/talos/container-report.ts')
    await askNodes(parts, output, (api) => statsReport(api, kubernetes ? 'k8s.io' : 'system'))
  },
})
