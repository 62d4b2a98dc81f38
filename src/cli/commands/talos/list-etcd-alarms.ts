import { askControlPlanes } from './ask-nodes.ts'
import { defineVerb } from './define-verb.ts'

export const listEtcdAlarms = defineVerb({
  name: 'etcd alarm list',
  description: 'alarms that etcd raises',
  prints: 'report',
  role: 'os:reader',
  takes: {},
  async run(parts, { output }) {
    const { etcdAlarmsReport } = await import('../../../commands/talos/etcd-report.ts')
    await askControlPlanes(parts, output, etcdAlarmsReport)
  },
})
