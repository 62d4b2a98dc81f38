import { flag, without } from '../../setting.ts'
import { askNodes } from './ask-nodes.ts'
import { defineVerb } from './define-verb.ts'

export const netstat = defineVerb({
  name: 'netstat',
  description: 'sockets of the nodes',
  prints: 'report',
  role: 'os:reader',
  takes: {
    listening: without(
      flag('-l, --listening', 'only those that wait for connections'),
      'connected',
    ),
    connected: flag('--connected', 'only those that have one'),
    processes: flag('-p, --processes', 'with the process'),
    pods: flag('--pods', "in the pods' own networks too"),
  },
  async run(parts, { listening, connected, processes, pods, output }) {
    const { netstatReport } = await import('../../../commands/talos/netstat-report.ts')
    const which = listening ? 'listening' : connected ? 'connected' : 'all'
    const request = { which, processes, allNetworks: pods } as const
    await askNodes(parts, output, (api) => netstatReport(api, request))
  },
})
