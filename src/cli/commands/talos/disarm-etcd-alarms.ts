import { yesSetting } from '../../cluster-settings.ts'
import { defineVerb } from './define-verb.ts'

export const disarmEtcdAlarms = defineVerb({
  name: 'etcd alarm disarm',
  description: 'lower the alarms',
  prints: 'report',
  role: 'os:operator',
  takes: { yes: yesSetting() },
  question: () => 'Lower the alarms of etcd?',
  async run({ cluster, context, terminal }, { output }) {
    const { disarmEtcdAlarms: disarm } = await import('../../../commands/talos/etcd-report.ts')
    const { firstToAnswer } = await import('../../../commands/talos/first-to-answer.ts')
    const { reportNext } = await import('./report-next.ts')
    const { showReports } = await import('./show-reports.ts')
    const { node, value } = await firstToAnswer(context, cluster.controlPlanes, {
      ask: ({ api }) => disarm(api),
      onFailure: reportNext(terminal),
    })
    showReports(terminal, [{ node: node.name, value }], output)
  },
})
