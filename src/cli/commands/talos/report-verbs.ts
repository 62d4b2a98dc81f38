import { cgroupsReport } from '../../../commands/talos/cgroup-report.ts'
import { containersReport, statsReport } from '../../../commands/talos/container-report.ts'
import {
  defragmentEtcd,
  disarmEtcdAlarms,
  etcdAlarmsReport,
  etcdMembersReport,
  etcdStatusReport,
} from '../../../commands/talos/etcd-report.ts'
import { listReport, usageReport } from '../../../commands/talos/file-report.ts'
import { firstToAnswer } from '../../../commands/talos/first-to-answer.ts'
import { imagesReport, pullReport } from '../../../commands/talos/image-report.ts'
import { netstatReport } from '../../../commands/talos/netstat-report.ts'
import { reportInTurn, reportOfEach } from '../../../commands/talos/node-report.ts'
import { namedNodes } from '../../../commands/talos/reached-cluster.ts'
import {
  serviceOfEach,
  servicesReport,
  versionReport,
} from '../../../commands/talos/service-report.ts'
import {
  memoryReport,
  mountsReport,
  processesReport,
} from '../../../commands/talos/system-report.ts'
import { ClusterError } from '../../../lib/cluster-error.ts'
import { reportNext } from './report-next.ts'
import { showReports } from './show-reports.ts'
import type { TalosOptions } from './talos-request.ts'
import { firstArgument, type Verb, type VerbParts } from './verb.ts'

type Ask = Parameters<typeof reportOfEach>[1]

/** A verb that asks every node once and prints what they say. */
function onNodes(ask: (parts: VerbParts) => Ask): Verb {
  return {
    role: 'os:reader',
    async run(parts) {
      const { cluster, terminal, options } = parts
      showReports(terminal, await reportOfEach(cluster.nodes, ask(parts)), options.output)
    },
  }
}

/** One that asks the control planes. */
function onControlPlanes(ask: Ask): Verb {
  return {
    role: 'os:reader',
    async run({ cluster, terminal, options }) {
      showReports(terminal, await reportOfEach(cluster.controlPlanes, ask), options.output)
    },
  }
}

function spaceOf({ kubernetes = false }: TalosOptions): 'k8s.io' | 'system' {
  return kubernetes ? 'k8s.io' : 'system'
}

/** Verbs whose answer is a table. */
export const reportVerbs = {
  version: onNodes(() => versionReport),
  services: {
    role: 'os:reader',
    async run({ cluster: { nodes }, terminal, args: [id], options }) {
      const reports =
        id === undefined
          ? await reportOfEach(nodes, (api) => servicesReport(api))
          : await serviceOfEach(nodes, id)
      showReports(terminal, reports, options.output)
    },
  },
  list: onNodes(({ args, options }) => {
    const { recurse = false, depth = 0, type = [] } = options
    return (api) => listReport(api, { path: args[0] ?? '/', recurse, depth, types: type })
  }),
  usage: onNodes(({ args, options }) => {
    const { depth = 0, all = false, threshold = 0 } = options
    const paths = args.length > 0 ? args : ['/']
    return (api) => usageReport(api, { paths, depth, all, threshold })
  }),
  netstat: onNodes(({ options }) => {
    const { listening, connected, processes = false, pods = false } = options
    const which = listening ? 'listening' : connected ? 'connected' : 'all'
    return (api) => netstatReport(api, { which, processes, allNetworks: pods })
  }),
  containers: onNodes(
    ({ options }) =>
      (api) =>
        containersReport(api, spaceOf(options)),
  ),
  stats: onNodes(
    ({ options }) =>
      (api) =>
        statsReport(api, spaceOf(options)),
  ),
  cgroups: {
    role: 'os:admin',
    async run({ cluster, terminal, options: { preset = 'memory', output } }) {
      const reports = await reportOfEach(cluster.nodes, (api) => cgroupsReport(api, preset))
      showReports(terminal, reports, output)
    },
  },
  processes: onNodes(() => processesReport),
  memory: onNodes(() => memoryReport),
  mounts: onNodes(() => mountsReport),
  'image list': onNodes(({ options }) => {
    const { store = 'pods' } = options
    return (api) => imagesReport(api, store)
  }),
  'image pull': {
    role: 'os:operator',
    async run(parts) {
      const { cluster, terminal, options } = parts
      const { store = 'pods', output } = options
      const reference = firstArgument(parts)
      const reports = await reportOfEach(cluster.nodes, (api) => pullReport(api, reference, store))
      showReports(terminal, reports, output)
    },
  },
  'service restart': {
    role: 'os:operator',
    question: ({ args, options }) => {
      if (options.nodes.length === 0) {
        throw new ClusterError('usage', 'no node is named', { hint: 'Name it with --nodes.' })
      }
      return `Restart ${args[0]} on ${options.nodes.join(', ')}?`
    },
    async run(parts) {
      const { cluster, terminal, options } = parts
      const id = firstArgument(parts)
      const reports = await reportInTurn(namedNodes(cluster), async ({ api }) => {
        await servicesReport(api, id)
        const { resp } = await api.machine.serviceRestart(id)
        return { columns: ['ANSWER'], rows: [[resp]], data: { answer: resp } }
      })
      showReports(terminal, reports, options.output)
    },
  },
  'etcd members': onControlPlanes(etcdMembersReport),
  'etcd status': onControlPlanes(etcdStatusReport),
  'etcd alarm list': onControlPlanes(etcdAlarmsReport),
  'etcd alarm disarm': {
    role: 'os:operator',
    question: () => 'Lower the alarms of etcd?',
    async run({ cluster, context, terminal, options }) {
      const { node, value } = await firstToAnswer(context, cluster.controlPlanes, {
        ask: ({ api }) => disarmEtcdAlarms(api),
        onFailure: reportNext(terminal),
      })
      showReports(terminal, [{ node: node.name, value }], options.output)
    },
  },
  'etcd defrag': {
    role: 'os:operator',
    question: ({ options }) => {
      const who = options.nodes.join(', ') || 'every control plane, one after the other'
      return `Rewrite the database of etcd on ${who}? It blocks a member meanwhile.`
    },
    async run({ cluster, terminal, options }) {
      const reports = await reportInTurn(cluster.controlPlanes, ({ api }) => defragmentEtcd(api))
      showReports(terminal, reports, options.output)
    },
  },
} as const satisfies Record<string, Verb>
