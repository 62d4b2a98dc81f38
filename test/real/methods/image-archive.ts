import { packFiles } from '../../../src/lib/tar-archive.ts'

interface Descriptor {
  readonly digest: string
}

/** An image of a registry as the OCI archive that `image.import` takes, under a name of its own. */
export async function imageArchive(
  registry: string,
  repository: string,
  tag: string,
  name: string,
): Promise<Uint8Array> {
  const fetchPart = async (path: string) => {
    const answer = await fetch(`${registry}/v2/${repository}/${path}`, {
      headers: { accept: 'application/vnd.oci.image.manifest.v1+json' },
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
    return { answer, bytes: new Uint8Array(await answer.arrayBuffer()) }
  }
  const { answer, bytes } = await fetchPart(`manifests/${tag}`)
  const digest = answer.headers.get('docker-content-digest') ?? ''
  const mediaType = answer.headers.get('content-type') ?? ''
  const { config, layers } = JSON.parse(Buffer.from(bytes).toString('utf8'))
  const files = new Map([[blobPath(digest), bytes]])
  for (const part of [config, ...layers]) {
    files.set(blobPath(part.digest), (await fetchPart(`blobs/${part.digest}`)).bytes)
  }
  const annotations = { 'io.containerd.image.name': name }
  const manifests = [{ mediaType, digest, size: bytes.length, annotations }]
  files.set('index.json', Buffer.from(JSON.stringify({ schemaVersion: 2, manifests })))
  files.set('oci-layout', Buffer.from(JSON.stringify({ imageLayoutVersion: '1.0.0' })))
  return packFiles([...files].map(([path, content]) => ({ path, content })))
}

function blobPath(digest: Descriptor['digest']): string {
  return `blobs/${digest.replace(':', '/')}`
}
