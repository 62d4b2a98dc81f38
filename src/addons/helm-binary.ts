import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { ClusterError } from '../lib/cluster-error.ts'
import { fileInArchive } from '../lib/tar-archive.ts'
import { cachedFile } from './cached-file.ts'
import { type DownloadEnvironment, download } from './download.ts'
import { bytesDigest } from './file-digest.ts'

/** The one helm that charts are rendered with, so that a plan does not depend on the machine. */
export const helmVersion = '4.2.3'

interface HelmRelease {
  /** SHA-256 of the archive, as its makers publish it, and of the executable in it. */
  readonly archive: string
  readonly executable: string
}

const releases: Readonly<Record<string, HelmRelease>> = {
  'linux-amd64': {
    archive: 'e9b88b4ee95b18c706839c28d3a0220e5bc470e9cd9262410c90793c45ff8b7c',
    executable: 'aeb4645b9e6658948efa290e28dd23ae75a16fb73f137942f2294fd5c7fcb573',
  },
  'linux-arm64': {
    archive: '21abd9354d39b2cd79a8d76be6912cd137a983cbf997193503fb8a6a6e2f2785',
    executable: '01bdd0c90f371968326162daaa427cdd14da2641ded094131afc44fb7a538b62',
  },
}

export interface HelmOptions extends DownloadEnvironment {
  readonly cacheDirectory: string
  /** An executable to use as it is, unverified: its owner answers for it. */
  readonly path?: string | undefined
  /** `process.platform` and `process.arch` of the machine. */
  readonly platform: string
  readonly arch: string
  /** Where helm's releases are; their own site where absent. */
  readonly releasesUrl?: string | undefined
}

/**
 * The path of a helm to run: the one that was named, else the pinned one, out of the cache or
 * downloaded, verified each time by its SHA-256. Throws `helm-failed`.
 */
export async function locateHelm(options: HelmOptions): Promise<string> {
  if (options.path !== undefined) return options.path
  const platform = `${options.platform}-${options.arch === 'x64' ? 'amd64' : options.arch}`
  const release = releases[platform]
  if (!release) {
    throw new ClusterError('helm-failed', `no helm is known for this machine (${platform})`, {
      operation: 'find helm',
      hint: 'Install helm 4 and set HCLOUD_TALOS_HELM to its path.',
    })
  }
  const path = join(options.cacheDirectory, 'helm', `helm-${helmVersion}-${platform}`)
  return cachedFile(path, release.executable, () => fetchHelm(platform, release, options), 0o755)
}

async function fetchHelm(
  platform: string,
  release: HelmRelease,
  options: HelmOptions,
): Promise<Uint8Array> {
  const base = options.releasesUrl ?? 'https://get.helm.sh'
  const url = `${base}/helm-v${helmVersion}-${platform}.tar.gz`
  const archive = await download(url, 'helm-failed', options)
  if (!archive) throw wrong(url, 'it is not there')
  if (bytesDigest(archive) !== release.archive)
    throw wrong(url, 'its SHA-256 is not the pinned one')
  const executable = await fileInArchive(gunzipSync(archive), `${platform}/helm`)
  if (!executable || bytesDigest(executable) !== release.executable) {
    throw wrong(url, 'the executable in it is not the pinned one')
  }
  return executable
}

function wrong(url: string, why: string): ClusterError {
  return new ClusterError('helm-failed', `helm cannot be taken from ${url}: ${why}`, {
    operation: 'download helm',
    target: url,
    hint: 'Set HCLOUD_TALOS_HELM to the path of a helm 4 that you trust.',
  })
}
