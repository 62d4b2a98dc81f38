import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { link, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { isSystemError } from './is-system-error.ts'
import { makeArtefact } from './make-artefact.ts'
import { tarTree } from './tar-tree.ts'
import { type TreeEntry, treeInputs } from './tree-entry.ts'
import type { Workshop } from './workshop.ts'

/** A container image of one layer. */
export interface ImageRecipe {
  readonly name: string
  /** All the names under which a registry has it. */
  readonly references: readonly string[]
  readonly tree: readonly TreeEntry[]
  readonly entrypoint: readonly string[]
}

/** Raised when the same recipe comes to give other bytes. */
const format = 1

const searchPath = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/**
 * Makes an image and adds its blobs to `<folder>/blobs/sha256`. Returns the digest of its manifest.
 * The layer is compressed lightly: it is unpacked by every node, and never leaves the machine.
 */
export async function makeImage(
  workshop: Workshop,
  recipe: ImageRecipe,
  folder: string,
): Promise<string> {
  const artefact = await makeArtefact(workshop, {
    name: `image-${recipe.name}`,
    inputs: {
      format,
      entrypoint: recipe.entrypoint,
      tree: treeInputs(recipe.tree, workshop.cache),
    },
    make: (draft) => writeImage(draft, recipe),
  })
  await shareBlobs(artefact, folder)
  return (await readFile(join(artefact, 'digest'), 'utf8')).trim()
}

/** Writes an image's blobs below `folder`, and its digest beside them. */
export async function writeImage(
  folder: string,
  { tree, entrypoint }: Pick<ImageRecipe, 'tree' | 'entrypoint'>,
): Promise<void> {
  const blobs = join(folder, 'blobs', 'sha256')
  await mkdir(blobs, { recursive: true })
  const layer = await writeLayer(blobs, tree)
  const config = await writeJson(blobs, {
    architecture: 'amd64',
    os: 'linux',
    config: { Entrypoint: entrypoint, Env: [searchPath], WorkingDir: '/' },
    rootfs: { type: 'layers', diff_ids: [layer.tarDigest] },
    history: [{ created: '1970-01-01T00:00:00Z' }],
  })
  const manifest = await writeJson(blobs, {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: { mediaType: 'application/vnd.oci.image.config.v1+json', ...config },
    layers: [
      {
        mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip',
        digest: layer.digest,
        size: layer.size,
      },
    ],
  })
  await writeFile(join(folder, 'digest'), `${manifest.digest}\n`)
}

async function writeLayer(
  blobs: string,
  tree: readonly TreeEntry[],
): Promise<{ readonly digest: string; readonly size: number; readonly tarDigest: string }> {
  const plain = createHash('sha256')
  const packed = createHash('sha256')
  let size = 0
  const draft = join(blobs, 'layer')
  await pipeline(
    tarTree(tree),
    observe((chunk) => {
      plain.update(chunk)
    }),
    createGzip({ level: 1 }),
    observe((chunk) => {
      packed.update(chunk)
      size += chunk.length
    }),
    createWriteStream(draft),
  )
  const name = packed.digest('hex')
  await rename(draft, join(blobs, name))
  return { digest: `sha256:${name}`, size, tarDigest: `sha256:${plain.digest('hex')}` }
}

function observe(look: (chunk: Buffer) => void): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      look(chunk)
      done(null, chunk)
    },
  })
}

async function writeJson(
  blobs: string,
  value: object,
): Promise<{ readonly digest: string; readonly size: number }> {
  const bytes = Buffer.from(JSON.stringify(value))
  const name = createHash('sha256').update(bytes).digest('hex')
  await writeFile(join(blobs, name), bytes)
  return { digest: `sha256:${name}`, size: bytes.length }
}

/** The blobs of an artefact also under the folder that all images share: the same files, no copies. */
async function shareBlobs(artefact: string, folder: string): Promise<void> {
  const from = join(artefact, 'blobs', 'sha256')
  const to = join(folder, 'blobs', 'sha256')
  await mkdir(to, { recursive: true })
  for (const name of await readdir(from)) {
    await link(join(from, name), join(to, name)).catch((error: unknown) => {
      if (!isSystemError(error, 'EEXIST')) throw error
    })
  }
}
