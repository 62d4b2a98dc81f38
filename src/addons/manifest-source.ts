import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ClusterError } from '../lib/cluster-error.ts'
import { cachedFile } from './cached-file.ts'
import { type DownloadEnvironment, download } from './download.ts'
import { bytesDigest } from './file-digest.ts'

export interface ManifestFile {
  readonly url: string
  /** Lower-case hex. */
  readonly sha256: string
}

/** Where manifests come from: files at URLs, verified. */
export interface ManifestSource {
  /** The text of a file. Throws `addon-failed` when it cannot be had or is not what it should be. */
  fetchManifest(file: ManifestFile): Promise<string>
}

export function createManifestSource(
  options: DownloadEnvironment & { readonly cacheDirectory: string },
): ManifestSource {
  return {
    async fetchManifest({ url, sha256 }) {
      const cached = join(options.cacheDirectory, 'manifests', `${sha256}.yaml`)
      const path = await cachedFile(cached, sha256, async () => {
        const bytes = await download(url, 'addon-failed', options)
        if (bytes && bytesDigest(bytes) === sha256) return bytes
        throw new ClusterError(
          'addon-failed',
          bytes
            ? `the manifest at ${url} is not the one that was reviewed: its SHA-256 is ${bytesDigest(bytes)}, expected ${sha256}`
            : `there is no manifest at ${url}`,
          {
            operation: 'download manifest',
            target: url,
            hint: bytes
              ? 'Never ignore this: find out who changed it. Take an address whose contents do not change, such as that of a release.'
              : 'Check the address in the cluster file.',
          },
        )
      })
      return readFile(path, 'utf8')
    },
  }
}
