import { readFile } from 'node:fs/promises'
import { ClusterError } from '../../../lib/cluster-error.ts'
import { yesSetting } from '../../cluster-settings.ts'
import { argument, flag } from '../../setting.ts'
import { defineVerb } from './define-verb.ts'
import { requireNamed } from './require-named.ts'

export const patch = defineVerb({
  name: 'patch',
  description: 'patch the machine config of nodes past the cluster file, until the next apply',
  prints: 'report',
  role: 'os:admin',
  takes: {
    staged: flag('--staged', 'have it wait for the next boot'),
    dryRun: flag('--dry-run', 'judge it, and show which fields would change'),
    yes: yesSetting(),
    file: argument('<file>'),
  },
  question: ({ dryRun, nodes }) =>
    dryRun
      ? undefined
      : `Patch the machine config of ${requireNamed(nodes)}, past the cluster file?`,
  input: ({ file }) => readPatch(file),
  async run({ cluster, terminal, input: text }, { staged, dryRun, file: source, output }) {
    const { lockToStop } = await import('../../../commands/talos/gated-reboot.ts')
    const { reportInTurn } = await import('../../../commands/talos/node-report.ts')
    const { patchNode } = await import('../../../commands/talos/patch-node.ts')
    const { namedNodes } = await import('../../../commands/talos/reached-cluster.ts')
    const { showReports } = await import('./show-reports.ts')
    const nodes = namedNodes(cluster)
    const lock = dryRun ? undefined : await lockToStop(cluster, nodes, 'patch')
    const how = {
      mode: staged ? 'staged' : 'no-reboot',
      dryRun,
      requireLock: lock?.requireLock,
    } as const
    const reports = await reportInTurn(nodes, (node) => patchNode(node, { text, source }, how))
    showReports(terminal, reports, output)
  },
})

async function readPatch(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new ClusterError('usage', 'the patch cannot be read', {
      operation: 'read',
      target: path,
      hint: 'Name a file that holds the patch.',
      cause: error,
    })
  }
}
