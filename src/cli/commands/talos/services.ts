import { optionalArgument } from '../../setting.ts'
import { defineVerb } from './define-verb.ts'

export const services = defineVerb({
  name: 'services',
  description: 'services of Talos and how they are',
  prints: 'report',
  role: 'os:reader',
  takes: { id: optionalArgument('[id]') },
  async run({ cluster: { nodes }, terminal }, { id, output }) {
    const { reportOfEach } = await import('../../../commands/talos/node-report.ts')
    const { serviceOfEach, servicesReport } = await import(
      '../../../commands/talos/service-report.ts'
    )
    const { showReports } = await import('./show-reports.ts')
    const reports =
      id === undefined
        ? await reportOfEach(nodes, (api) => servicesReport(api))
        : await serviceOfEach(nodes, id)
    showReports(terminal, reports, output)
  },
})
