import { ClusterError } from '../lib/cluster-error.ts'
import { isJsonObject } from '../lib/json.ts'
import { listAt, textAt } from '../lib/kubernetes-object.ts'
import { type DownloadEnvironment, download, NotServed } from './download.ts'
import { bytesDigest } from './file-digest.ts'

const manifestType = 'application/vnd.oci.image.manifest.v1+json'
/** The layer of a chart's manifest that is its tgz (helm's HIP-0006). */
const chartType = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip'

/**
 * The tgz of a chart in an OCI registry; undefined where the registry has no such chart or version. Reads what
 * anybody may read: where a registry wants a token, it is asked for one without credentials (the token endpoint of
 * the distribution specification). Throws `addon-failed`.
 *
 * @param repository `oci://registry/folder`
 */
export async function downloadOciChart(
  { repository, chart, version }: { repository: string; chart: string; version: string },
  environment: DownloadEnvironment,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { origin, name } = locate(`${repository}/${chart}`)
  const get = anonymousReader(environment)
  // A tag cannot hold the plus sign of a version's build: helm writes it so.
  const tag = version.replace('+', '_')
  const manifest = await get(`${origin}/v2/${name}/manifests/${tag}`, manifestType)
  if (!manifest) return undefined
  const digest = chartLayer(manifest)
  const bytes =
    digest === undefined ? undefined : await get(`${origin}/v2/${name}/blobs/sha256:${digest}`)
  if (!bytes || bytesDigest(bytes) !== digest) {
    throw new ClusterError('addon-failed', `${repository}/${chart} ${version} is not a chart`, {
      operation: 'download chart',
      target: `${chart} ${version}`,
      hint: 'Check the repository and the name of the chart in the cluster file.',
    })
  }
  return bytes
}

function locate(address: string): { readonly origin: string; readonly name: string } {
  const [host = '', ...path] = address.replace(/^oci:\/\//, '').split('/')
  // As everywhere: a registry on this machine has no certificate.
  const scheme = /^(localhost|127(\.\d+){3})(:|$)/.test(host) ? 'http' : 'https'
  return { origin: `${scheme}://${host}`, name: path.join('/') }
}

/** Lower-case hex SHA-256 of the layer that holds the chart. */
function chartLayer(bytes: Uint8Array): string | undefined {
  const manifest: unknown = parseJson(bytes)
  if (!isJsonObject(manifest)) return undefined
  const layer = listAt(manifest, 'layers').find((one) => textAt(one, 'mediaType') === chartType)
  return /^sha256:([0-9a-f]{64})$/.exec(textAt(layer, 'digest') ?? '')?.[1]
}

type Reader = (url: string, accept?: string) => Promise<Uint8Array<ArrayBuffer> | undefined>

function anonymousReader(environment: DownloadEnvironment): Reader {
  let token: string | undefined
  const attempt: Reader = (url, accept) =>
    download(url, 'addon-failed', {
      ...environment,
      headers: {
        ...(accept !== undefined && { accept }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
    })
  return async (url, accept) => {
    try {
      return await attempt(url, accept)
    } catch (error) {
      const isRefused = error instanceof NotServed && (error.status === 401 || error.status === 403)
      if (!isRefused) throw error
      const fresh =
        token === undefined ? await anonymousToken(error.challenge, environment) : undefined
      if (fresh === undefined) throw loginNeeded(url, error)
      token = fresh
      return attempt(url, accept).catch((second: unknown) => {
        throw second instanceof NotServed && second.status < 429 ? loginNeeded(url, second) : second
      })
    }
  }
}

/** What a registry gives to everybody; undefined where it gives nothing, or asks for something else. */
async function anonymousToken(
  challenge: string | undefined,
  environment: DownloadEnvironment,
): Promise<string | undefined> {
  if (!/^bearer\s/i.test(challenge ?? '')) return undefined
  const fields = new Map(
    [...(challenge ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value = '']) => [
      key,
      value,
    ]),
  )
  const realm = fields.get('realm') ?? ''
  if (!URL.canParse(realm)) return undefined
  const url = new URL(realm)
  for (const key of ['service', 'scope']) {
    const value = fields.get(key)
    if (value !== undefined) url.searchParams.set(key, value)
  }
  const answer = await download(url.href, 'addon-failed', environment).catch(refusedAsNothing)
  const parsed: unknown = answer && parseJson(answer)
  if (!isJsonObject(parsed)) return undefined
  return textAt(parsed, 'token') ?? textAt(parsed, 'access_token')
}

function refusedAsNothing(error: unknown): undefined {
  if (!(error instanceof NotServed) || error.status >= 429) throw error
}

function loginNeeded(url: string, cause: unknown): ClusterError {
  return new ClusterError(
    'addon-failed',
    `${new URL(url).host} gives ${url} to nobody without a login`,
    {
      operation: 'download chart',
      target: url,
      hint: 'Check the address: registries also give this answer for charts that do not exist. Put a copy of a chart that is behind a login into a public registry.',
      cause,
    },
  )
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}
