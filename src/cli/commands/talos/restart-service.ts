import { yesSetting } from '../../cluster-settings.ts'
import { argument } from '../../setting.ts'
import { defineVerb } from './define-verb.ts'
import { requireNamed } from './require-named.ts'

export const restartService = defineVerb({
  name: 'service restart',
  description: 'restart a service of Talos on named nodes, one after the other',
  prints: 'report',
  role: 'os:operator',
  takes: { yes: yesSetting(), id: argument('<id>') },
  question: ({ id, nodes }) => `Restart ${id} on ${requireNamed(nodes)}?`,
  async run({ cluster, terminal }, { id, output }) {
    const { reportInTurn } = await import('../../../commands/talos/node-report.ts')
    const { namedNodes } = await import('../../../commands/talos/reached-cluster.ts')
    const { servicesReport } = await import('../../../commands/talos/service-report.ts')
    const { showReports } = await import('./show-reports.ts')
    const reports = await reportInTurn(namedNodes(cluster), async ({ api }) => {
      await servicesReport(api, id)
      const { resp } = await api.machine.serviceRestart(id)
      return { columns: ['ANSWER'], rows: [[resp]], data: { answer: resp } }
    })
    showReports(terminal, reports, output)
  },
})
