import { yesSetting } from '../../cluster-settings.ts'
import { defineVerb } from './define-verb.ts'

export const defragmentEtcd = defineVerb({
  name: 'etcd defrag',
  description: "rewrite the members' databases, one after the other",
  prints: 'report',
  role: 'os:operator',
  takes: { yes: yesSetting() },
  question({ nodes }) {
    const who = nodes.join(', ') || 'every control plane, one after the other'
    return `Rewrite the database of etcd on ${who}? It blocks a member meanwhile.`
  },
  async run({ cluster, terminal }, { output }) {
    const { defragmentEtcd: defragment } = await import('../../../commands/talos/etcd-report.ts')
    const { reportInTurn } = await import('../../../commands/talos/node-report.ts')
    const { showReports } = await import('./show-reports.ts')
    const reports = await reportInTurn(cluster.controlPlanes, ({ api }) => defragment(api))
    showReports(terminal, reports, output)
  },
})
