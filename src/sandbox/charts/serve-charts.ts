import { createHash } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { stringify } from 'yaml'
import type { RequestPass } from '../request-log.ts'
import type { World } from '../world.ts'
import { ciliumChart } from './cilium-chart.ts'
import { csrApproverChart } from './csr-approver-chart.ts'
import { exampleChart } from './example-chart.ts'
import { hcloudCcmChart, hcloudCcmChartAt } from './hcloud-ccm-chart.ts'
import { hcloudCsiChart } from './hcloud-csi-chart.ts'
import { packageChart } from './package-chart.ts'
import type { StandInChart } from './stand-in-chart.ts'

export const standInCharts: readonly StandInChart[] = [
  ciliumChart,
  hcloudCcmChart,
  csrApproverChart,
  hcloudCsiChart,
  exampleChart,
]

export interface ChartsFront {
  /** A classic repository with all charts in it: takes the place of every repository's base URL. */
  readonly url: string
  /**
   * SHA-256 by `<chart>-<version>`. They are not those of the real charts, which clients know; whoever
   * uses this repository has to be told, openly, what to expect instead.
   */
  readonly digests: Readonly<Record<string, string>>
  close(): Promise<void>
}

export interface ChartsOptions {
  readonly host?: string
  readonly port?: number
  /**
   * Where pods find Hetzner's API, with its version (`http://10.99.0.1:8080/v1`): real nodes run the
   * manager for real. Without it the charts are those that everybody gets.
   */
  readonly hcloudEndpoint?: string | undefined
}

/** Serves the stand-in charts on loopback, as a static chart repository: index.yaml and tgz files. */
export async function serveCharts(
  world: Pick<World, 'enter'>,
  options: ChartsOptions = {},
): Promise<ChartsFront> {
  const files = packAll(chartsFor(options))
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://charts').pathname
    const pass = world.enter('charts', request.method ?? 'GET', path)
    if (pass.dropped) return void request.socket.destroy()
    void pass.leave().then((sent) => {
      if (!sent) request.socket.destroy()
      else answer(response, files.get(path.slice(1)), pass.fault)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, options.host ?? '127.0.0.1', resolve)
  })
  const { address, port } = addressOf(server.address())
  return {
    url: `http://${address}:${port}`,
    digests: digestsOf(files),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function chartsFor({ hcloudEndpoint }: ChartsOptions): readonly StandInChart[] {
  if (hcloudEndpoint === undefined) return standInCharts
  return standInCharts.map((chart) =>
    chart === hcloudCcmChart ? hcloudCcmChartAt(hcloudEndpoint) : chart,
  )
}

function answer(
  response: ServerResponse,
  file: Buffer | undefined,
  fault: RequestPass['fault'],
): void {
  if (fault === 'truncate' && file) {
    response.writeHead(200, { 'content-length': file.length })
    response.write(file.subarray(0, file.length / 2), () => response.destroy())
  } else if (fault) response.writeHead(fault === 'rate-limit' ? 429 : 503).end()
  else if (file) response.writeHead(200, { 'content-length': file.length }).end(file)
  else response.writeHead(404).end('not found\n')
}

function packAll(charts: readonly StandInChart[]): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  const entries: Record<string, unknown[]> = {}
  for (const chart of charts) {
    entries[chart.name] = chart.versions.map((version) => {
      const file = `${chart.name}-${version}.tgz`
      const bytes = packageChart(chart, version)
      files.set(file, bytes)
      const { name, description } = chart
      return { apiVersion: 'v2', name, description, version, digest: sha256(bytes), urls: [file] }
    })
  }
  files.set('index.yaml', Buffer.from(stringify({ apiVersion: 'v1', entries })))
  return files
}

function digestsOf(files: ReadonlyMap<string, Buffer>): Record<string, string> {
  return Object.fromEntries(
    [...files]
      .filter(([name]) => name.endsWith('.tgz'))
      .map(([name, bytes]) => [name.replace(/\.tgz$/, ''), sha256(bytes)]),
  )
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function addressOf(address: string | AddressInfo | null): AddressInfo {
  if (typeof address === 'object' && address !== null) return address
  throw new Error('the server has no address')
}
