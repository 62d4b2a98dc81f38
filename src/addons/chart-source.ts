import { join } from 'node:path'
import { parse } from 'yaml'
import { ClusterError } from '../lib/cluster-error.ts'
import { isJsonObject } from '../lib/json.ts'
import { listAt, textAt } from '../lib/kubernetes-object.ts'
import { cachedFile } from './cached-file.ts'
import { type DownloadEnvironment, download } from './download.ts'
import { bytesDigest } from './file-digest.ts'
import { downloadOciChart } from './oci-chart.ts'

export interface ChartId {
  /** Base URL of a classic repository, or `oci://registry/folder`. */
  readonly repository: string
  readonly chart: string
  readonly version: string
  /** Lower-case hex SHA-256 of the tgz; absent where nobody knows it yet. */
  readonly sha256?: string | undefined
}

export interface FetchedChart {
  readonly path: string
  /** Lower-case hex. */
  readonly sha256: string
}

export interface ChartSourceOptions extends DownloadEnvironment {
  readonly cacheDirectory: string
  /** Takes the place of every repository's base URL. */
  readonly mirror?: string | undefined
  /**
   * SHA-256 by `<chart>-<version>`, for a mirror that serves other charts under the real names, as the
   * sandbox does. Charts that are not named keep the digest of the catalogue: there is always one.
   */
  readonly digests?: Readonly<Record<string, string>> | undefined
}

/** Where charts come from: their tgz as a file of this machine, verified. */
export interface ChartSource {
  /** Throws `addon-failed` when it cannot be had or is not what it should be. */
  fetchChart(id: ChartId): Promise<FetchedChart>
}

export function createChartSource(options: ChartSourceOptions): ChartSource {
  const cachePath = (sha256: string) => join(options.cacheDirectory, 'charts', `${sha256}.tgz`)
  return {
    async fetchChart(id) {
      const sha256 = options.digests?.[`${id.chart}-${id.version}`] ?? id.sha256
      const base = (options.mirror ?? id.repository).replace(/\/+$/, '')
      if (sha256 === undefined) {
        const bytes = await downloadChart(base, id, options)
        const found = bytesDigest(bytes)
        const path = await cachedFile(cachePath(found), found, async () => bytes)
        return { path, sha256: found }
      }
      const path = await cachedFile(cachePath(sha256), sha256, async () => {
        const bytes = await downloadChart(base, id, options)
        if (bytesDigest(bytes) === sha256) return bytes
        throw new ClusterError(
          'addon-failed',
          `the chart ${id.chart} ${id.version} from ${base} is not the one that was reviewed: ` +
            `its SHA-256 is ${bytesDigest(bytes)}, expected ${sha256}`,
          {
            operation: 'download chart',
            target: `${id.chart} ${id.version}`,
            hint: 'Never ignore this: find out who changed the chart, or whether a proxy did.',
          },
        )
      })
      return { path, sha256 }
    },
  }
}

/**
 * The usual place first, the repository's index only where nothing is there: reading an index of some
 * megabytes takes seconds, and the digest, not the address, tells whether it is the right file.
 */
async function downloadChart(
  base: string,
  { chart, version }: ChartId,
  options: ChartSourceOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  if (base.startsWith('oci://')) {
    const found = await downloadOciChart({ repository: base, chart, version }, options)
    if (found) return found
    throw noSuchChart(base, chart, version, 'Check the repository, the name and the version.')
  }
  const usual = await download(`${base}/${chart}-${version}.tgz`, 'addon-failed', options)
  if (usual) return usual
  const url = await urlFromIndex(base, chart, version, options)
  const bytes = url === undefined ? undefined : await download(url, 'addon-failed', options)
  if (bytes) return bytes
  throw noSuchChart(
    base,
    chart,
    version,
    options.mirror === undefined
      ? 'Check the repository, the name and the version.'
      : 'Check HCLOUD_TALOS_CHARTS, or put the chart into the mirror.',
  )
}

function noSuchChart(base: string, chart: string, version: string, hint: string): ClusterError {
  return new ClusterError('addon-failed', `${base} has no chart ${chart} ${version}`, {
    operation: 'download chart',
    target: `${chart} ${version}`,
    hint,
  })
}

async function urlFromIndex(
  base: string,
  chart: string,
  version: string,
  options: ChartSourceOptions,
): Promise<string | undefined> {
  const bytes = await download(`${base}/index.yaml`, 'addon-failed', options)
  if (!bytes) return undefined
  const index: unknown = parse(new TextDecoder().decode(bytes), { maxAliasCount: 100 })
  if (!isJsonObject(index)) return undefined
  const entry = listAt(index, 'entries', chart).find((one) => textAt(one, 'version') === version)
  const url = textAt(entry, 'urls', 0)
  return url === undefined ? undefined : new URL(url, `${base}/`).href
}

/**
 * Reads `cilium-1.19.6=<sha256>,...` as it stands in an environment variable. Throws `usage` on
 * anything else, since a digest that is not understood must not count as none.
 */
export function parseChartDigests(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .split(',')
      .filter((entry) => entry.trim() !== '')
      .map((entry) => {
        const match = /^([A-Za-z0-9.-]+)=([0-9a-f]{64})$/.exec(entry.trim())
        if (match?.[1] !== undefined && match[2] !== undefined) return [match[1], match[2]]
        throw new ClusterError('usage', `not a chart digest: ${entry}`, {
          hint: 'Write <chart>-<version>=<64 hex digits>, separated by commas.',
        })
      }),
  )
}
