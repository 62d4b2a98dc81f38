import { allocateNodes } from '../../src/plan/allocate-nodes.ts'
import { loadSpec } from '../../src/spec/load-spec.ts'
import { talosApi } from '../../src/talos/api/talos-api.ts'
import { TalosClient } from '../../src/talos/api/talos-client.ts'
import { generateMachineConfig } from '../../src/talos/config/machine-config.ts'
import type { SecretsBundle } from '../../src/talos/config/secrets-bundle.ts'
import { formatTalosconfig } from '../../src/talos/config/talosconfig.ts'
import {
  type ApiServer,
  startApiServer,
  timeGoCalls,
} from '../../test/peers/talos-api/api-server.ts'
import { testCluster } from '../../test/talos/test-cluster.ts'
import { benchCluster } from './bench-cluster.ts'

/** What the two libraries in src/talos cost by themselves. */
export interface TalosFigures {
  readonly configsPerSecond: number
  /** The most that the process held for it above what it held before, in MB. */
  readonly configsPeakMb: number
  readonly configBytes: number
  /** 1,000 calls one after the other over one channel, in milliseconds. */
  readonly callsMs: number
  /** The same by Talos's own Go client, on the same server. */
  readonly goCallsMs: number
}

/** Nothing is encrypted for it: a cluster file names one. */
const recipient = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'
const calls = 1_000
const configs = 2_000
const rounds = 3

export async function benchTalos(): Promise<TalosFigures> {
  const { secrets, credentials } = await testCluster()
  const generated = generateConfigs(secrets)
  await using server = await startApiServer(secrets)
  const endpoint = `127.0.0.1:${server.port}`
  const talosconfig = formatTalosconfig('bench', [endpoint], credentials)
  using client = quietClient(server, credentials)
  const [own, go]: [number[], number[]] = [[], []]
  // In turn, so that whatever else the machine does meets both.
  for (let round = 0; round < rounds; round++) {
    own.push(await timeCalls(client))
    go.push(await timeGoCalls(talosconfig, endpoint, calls))
  }
  return { ...generated, callsMs: Math.min(...own), goCallsMs: Math.min(...go) }
}

/** Configs of a hundred nodes, again and again. */
function generateConfigs(secrets: SecretsBundle) {
  const { spec } = loadSpec(benchCluster(100, recipient), { fileName: 'bench.yaml' })
  if (!spec) throw new Error('the cluster of the bench is none')
  const nodes = allocateNodes(spec, undefined)
  const before = process.memoryUsage.rss()
  const began = performance.now()
  let [bytes, peak] = [0, before]
  for (let made = 0; made < configs; made++) {
    const node = nodes[made % nodes.length]
    if (node) bytes += generateMachineConfig({ spec, node, secrets }).length
    if (made % 100 === 0) peak = Math.max(peak, process.memoryUsage.rss())
  }
  const seconds = (performance.now() - began) / 1_000
  return {
    configsPerSecond: Math.round(configs / seconds),
    configsPeakMb: Math.round((peak - before) / 1e6),
    configBytes: Math.round(bytes / configs),
  }
}

function quietClient(
  { port }: ApiServer,
  credentials: Awaited<ReturnType<typeof testCluster>>['credentials'],
) {
  return new TalosClient({
    address: '127.0.0.1',
    port,
    credentials,
    hook: ({ setHeader }) => {
      setHeader('x-test', 'quiet')
      return undefined
    },
  })
}

async function timeCalls(client: TalosClient): Promise<number> {
  const { machine } = talosApi(client)
  await machine.version()
  const began = performance.now()
  for (let call = 0; call < calls; call++) await machine.version()
  return Math.round(performance.now() - began)
}
