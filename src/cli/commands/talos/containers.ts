import { askNodes } from './ask-nodes.ts'
import { defineVerb } from './define-verb.ts'
import { kubernetesSetting } from './verb-settings.ts'

export const containers = defineVerb({
  name: 'containers',
  description: "containers of Talos's services, or of Kubernetes",
  prints: 'report',
  role: 'os:reader',
  takes: { kubernetes: kubernetesSetting() },
  async run(parts, { kubernetes, output }) {
    const { containersReport } = await import('../../../commands/talos/container-report.ts')
    await askNodes(parts, output, (api) => containersReport(api, kubernetes ? 'k8s.io' : 'system'))
  },
})
