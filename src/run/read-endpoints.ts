import { parseChartDigests } from '../addons/chart-source.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import { type Endpoints, productionEndpoints } from './run-context.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Where the outside is, as far as the environment says so, and where it really is otherwise. Throws
 * `usage` for a value that cannot be right, before anybody is asked. `HCLOUD_ENDPOINT` is judged by the
 * client, which guards the token.
 */
export function readEndpoints(environment: Environment): Endpoints {
  return {
    hetzner: environment['HCLOUD_ENDPOINT'] || productionEndpoints.hetzner,
    factory: readAddress(environment, 'HCLOUD_TALOS_FACTORY'),
    charts: readAddress(environment, 'HCLOUD_TALOS_CHARTS'),
    chartDigests: parseChartDigests(environment['HCLOUD_TALOS_CHART_DIGESTS'] ?? ''),
    ipLookup: readAddress(environment, 'HCLOUD_TALOS_IP_LOOKUP') ?? productionEndpoints.ipLookup,
    sshPort: readPort(environment, 'HCLOUD_TALOS_SSH_PORT') ?? productionEndpoints.sshPort,
  }
}

function readAddress(environment: Environment, name: string): string | undefined {
  const text = environment[name]
  if (!text) return undefined
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text
  throw new ClusterError('usage', `${name} is no address of the web`, {
    hint: 'Use an address that begins with https:// (or http:// on this machine), or leave it unset for the usual one.',
  })
}

function readPort(environment: Environment, name: string): number | undefined {
  const text = environment[name]
  if (!text) return undefined
  const port = Number(text)
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port
  throw new ClusterError('usage', `${name} is no port`, {
    hint: 'Leave it unset for the usual one.',
  })
}
