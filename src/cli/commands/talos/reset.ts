import { yesSetting } from '../../cluster-settings.ts'
import { choicesOr, flag } from '../../setting.ts'
import { defineVerb } from './define-verb.ts'
import { requireNamed } from './require-named.ts'
import { stateReport } from './state-report.ts'

export const reset = defineVerb({
  name: 'reset',
  description: 'wipe nodes back into maintenance',
  prints: 'report',
  role: 'os:admin',
  takes: {
    graceful: flag('--no-graceful', 'do not leave etcd and be drained before'),
    reboot: flag('--no-reboot', 'switch it off afterwards'),
    wipe: choicesOr(
      '--wipe <partitions...>',
      'what is wiped',
      ['STATE', 'EPHEMERAL', 'META'],
      ['STATE', 'EPHEMERAL'],
    ),
    yes: yesSetting(),
  },
  question: ({ wipe, nodes }) =>
    `Wipe ${wipe.join(' and ')} of ${requireNamed(nodes)}? What is on them is lost.`,
  async run({ cluster, terminal }, { graceful, reboot, wipe: partitions, output }) {
    const { reportInTurn } = await import('../../../commands/talos/node-report.ts')
    const { namedNodes } = await import('../../../commands/talos/reached-cluster.ts')
    const { resetNode } = await import('../../../commands/talos/reset-node.ts')
    const { showReports } = await import('./show-reports.ts')
    const reports = await reportInTurn(namedNodes(cluster), async ({ api }) => {
      await resetNode(api, { graceful, reboot, partitions })
      return stateReport('is being wiped', 'resetting')
    })
    showReports(terminal, reports, output)
  },
})
