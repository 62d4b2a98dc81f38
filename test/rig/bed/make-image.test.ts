import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeImage, writeImage } from '../../../rig/bed/make-image.ts'
import { folder, link, program, text } from '../../../rig/bed/tree-entry.ts'

let scratch: string

beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'image-test-'))
})

afterEach(async () => {
  await rm(scratch, { recursive: true, force: true })
})

async function smallTree() {
  const from = join(scratch, 'program')
  await writeFile(from, Buffer.alloc(700, 'x'))
  return [
    program('usr/local/bin/tool', from),
    text('etc/passwd', 'root:x:0:0::/:/bin/sh\n'),
    link('bin/sh', 'busybox'),
    folder('tmp', 0o1777),
  ]
}

async function blob(root: string, digest: string): Promise<Buffer> {
  return readFile(join(root, 'blobs', 'sha256', digest.replace('sha256:', '')))
}

function sha256(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

describe('an image of one layer', () => {
  test('has each of its blobs under the digest that names it', async () => {
    await writeImage(scratch, { tree: await smallTree(), entrypoint: ['/usr/local/bin/tool'] })
    const digest = (await readFile(join(scratch, 'digest'), 'utf8')).trim()
    const manifestBytes = await blob(scratch, digest)
    const manifest = JSON.parse(manifestBytes.toString('utf8'))
    const configBytes = await blob(scratch, manifest.config.digest)
    const config = JSON.parse(configBytes.toString('utf8'))
    const layer = await blob(scratch, manifest.layers[0].digest)

    expect(sha256(manifestBytes)).toBe(digest)
    expect(sha256(configBytes)).toBe(manifest.config.digest)
    expect(sha256(layer)).toBe(manifest.layers[0].digest)
    expect(sha256(gunzipSync(layer))).toBe(config.rootfs.diff_ids[0])
    expect([manifest.config.size, manifest.layers[0].size]).toEqual([
      configBytes.length,
      layer.length,
    ])
    expect(config.config.Entrypoint).toEqual(['/usr/local/bin/tool'])
    expect(await readdir(join(scratch, 'blobs', 'sha256'))).toHaveLength(3)
  })

  test('is unpacked by tar as the tree says, folders included', async () => {
    await writeImage(scratch, { tree: await smallTree(), entrypoint: [] })
    const manifest = JSON.parse(
      (await blob(scratch, (await readFile(join(scratch, 'digest'), 'utf8')).trim())).toString(
        'utf8',
      ),
    )
    const listing = execFileSync('tar', ['-tvz', '--numeric-owner', '--utc'], {
      input: await blob(scratch, manifest.layers[0].digest),
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    })
    const lines = listing.trim().split('\n')
    expect(lines.map((line) => line.replace(/\s+/g, ' '))).toEqual([
      'drwxr-xr-x 0/0 0 1970-01-01 00:00 bin/',
      'lrwxrwxrwx 0/0 0 1970-01-01 00:00 bin/sh -> busybox',
      'drwxr-xr-x 0/0 0 1970-01-01 00:00 etc/',
      '-rw-r--r-- 0/0 22 1970-01-01 00:00 etc/passwd',
      'drwxrwxrwt 0/0 0 1970-01-01 00:00 tmp/',
      'drwxr-xr-x 0/0 0 1970-01-01 00:00 usr/',
      'drwxr-xr-x 0/0 0 1970-01-01 00:00 usr/local/',
      'drwxr-xr-x 0/0 0 1970-01-01 00:00 usr/local/bin/',
      '-rwxr-xr-x 0/0 700 1970-01-01 00:00 usr/local/bin/tool',
    ])
  })

  test('is the same bytes for the same tree in another order, and others for another tree', async () => {
    const tree = await smallTree()
    const workshop = {
      root: '/nowhere',
      cache: scratch,
      path: '',
      report: () => {},
      signal: new AbortController().signal,
    }
    const recipe = { name: 'small', references: [], tree, entrypoint: ['/tool'] }
    const images = join(scratch, 'images')
    const digest = await makeImage(workshop, recipe, images)
    expect(await makeImage(workshop, { ...recipe, tree: [...tree].reverse() }, images)).toBe(digest)
    const other = { ...recipe, tree: [...tree, text('etc/more', '')] }
    expect(await makeImage(workshop, other, images)).not.toBe(digest)
    expect(sha256(await blob(images, digest))).toBe(digest)
  })

  test('never has a path that its simple tar would cut', async () => {
    const tree = [text(`etc/${'x'.repeat(100)}`, '')]
    await expect(writeImage(scratch, { tree, entrypoint: [] })).rejects.toThrow('cannot hold etc/')
  })
})
