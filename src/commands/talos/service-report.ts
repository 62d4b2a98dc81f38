import { timestampMs } from '@bufbuild/protobuf/wkt'
import { ClusterError, isClusterError } from '../../lib/cluster-error.ts'
import type { TalosApi } from '../../talos/api/talos-api.ts'
import { type NodeReport, reportOfEach } from './node-report.ts'
import type { ReachedNode } from './reached-cluster.ts'
import { type TalosReport, tableOf } from './report.ts'

/** Which Talos a node runs, and on what. */
export async function versionReport({ machine }: TalosApi): Promise<TalosReport> {
  const { version, platform } = await machine.version()
  const facts = {
    version: version?.tag ?? '',
    sha: version?.sha ?? '',
    arch: version?.arch ?? '',
    platform: platform?.name ?? '',
    mode: platform?.mode ?? '',
  }
  return tableOf(
    [facts],
    [
      ['VERSION', (each) => each.version],
      ['SHA', (each) => each.sha],
      ['ARCH', (each) => each.arch],
      ['PLATFORM', (each) => `${each.platform} (${each.mode})`],
    ],
    (each) => each,
  )
}

/**
 * One service of several nodes. A node that has none of the name is left out where another one has it: workers have no
 * etcd.
 */
export async function serviceOfEach(
  nodes: readonly ReachedNode[],
  id: string,
): Promise<NodeReport[]> {
  const reports = await reportOfEach(nodes, (api) => servicesReport(api, id))
  const without = (report: NodeReport) => 'error' in report && isClusterError(report.error, 'usage')
  const having = reports.filter((report) => !without(report))
  return having.length > 0 ? having : reports
}

/** Talos's services on a node, or one of them, with how they are. Throws `usage` for one that the node does not have. */
export async function servicesReport({ machine }: TalosApi, id?: string): Promise<TalosReport> {
  const { services } = await machine.serviceList()
  if (id !== undefined && !services.some((service) => service.id === id)) {
    throw new ClusterError('usage', `${id} is no service of the node`, {
      hint: `Name one of: ${services.map((service) => service.id).join(', ')}.`,
    })
  }
  const facts = services
    .filter((service) => id === undefined || service.id === id)
    .map(({ id: name, state, health, events }) => {
      const last = events?.events.at(-1)
      return {
        id: name,
        state,
        health: health?.unknown === false ? (health.healthy ? 'OK' : 'Fail') : '?',
        changed: last?.ts ? new Date(timestampMs(last.ts)).toISOString() : '',
        message: health?.lastMessage || last?.msg || '',
      }
    })
  return tableOf(
    facts,
    [
      ['SERVICE', (each) => each.id],
      ['STATE', (each) => each.state],
      ['HEALTH', (each) => each.health],
      ['LAST CHANGE', (each) => each.changed],
      ['LAST EVENT', (each) => each.message],
    ],
    (each) => each,
  )
}
