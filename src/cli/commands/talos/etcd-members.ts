import { askControlPlanes } from './ask-nodes.ts'
import { defineVerb } from './define-verb.ts'

export const etcdMembers = defineVerb({
  name: 'etcd members',
  description: 'who is a member of etcd',
  prints: 'report',
  role: 'os:reader',
  takes: {},
  async run(parts, { output }) {
    const { etcdMembersReport } = await import('../../../commands/talos/etcd-report.ts')
    await askControlPlanes(parts, output, etcdMembersReport)
  },
})
