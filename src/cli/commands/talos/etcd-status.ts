import { askControlPlanes } from './ask-nodes.ts'
import { defineVerb } from './define-verb.ts'

export const etcdStatus = defineVerb({
  name: 'etcd status',
  description: 'how the members of etcd are',
  prints: 'report',
  role: 'os:reader',
  takes: {},
  async run(parts, { output }) {
    const { etcdStatusReport } = await import('../../../commands/talos/etcd-report.ts')
    await askControlPlanes(parts, output, etcdStatusReport)
  },
})
