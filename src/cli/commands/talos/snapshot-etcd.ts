import { argument } from '../../setting.ts'
import { defineVerb } from './define-verb.ts'

export const snapshotEtcd = defineVerb({
  name: 'etcd snapshot',
  description: 'write a snapshot of etcd into a file',
  prints: 'bytes',
  role: 'os:etcd:backup',
  takes: { file: argument('<file>') },
  async run({ cluster, context, terminal }, { file }) {
    const { nodeSnapshot } = await import('../../../commands/talos/node-snapshot.ts')
    const { reportNext } = await import('./report-next.ts')
    const { writeReported } = await import('./write-reported.ts')
    const next = reportNext(terminal)
    const { node, bytes } = await nodeSnapshot(context, cluster.controlPlanes, next)
    await writeReported(terminal, file, bytes, `, of ${node.name}`)
  },
})
