import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { forgetUnused } from '../../../rig/bed/forget-unused.ts'
import { makeArtefact } from '../../../rig/bed/make-artefact.ts'
import { makeImage } from '../../../rig/bed/make-image.ts'
import { text } from '../../../rig/bed/tree-entry.ts'
import type { Workshop } from '../../../rig/bed/workshop.ts'

const day = 24 * 60 * 60 * 1_000
const longAgo = new Date(Date.now() - 31 * day)

let workshop: Workshop

beforeEach(async () => {
  workshop = {
    root: '/nowhere',
    cache: await mkdtemp(join(tmpdir(), 'forget-test-')),
    path: '',
    report: () => {},
    signal: new AbortController().signal,
  }
})

afterEach(async () => {
  await rm(workshop.cache, { recursive: true, force: true })
})

function image(content: string) {
  const recipe = { name: 'small', references: [], entrypoint: [], tree: [text('etc/a', content)] }
  return makeImage(workshop, recipe, join(workshop.cache, 'images'))
}

async function images() {
  return (await readdir(workshop.cache)).filter((name) => name.startsWith('image-'))
}

describe('what the cache keeps', () => {
  test('is what a run used within a month, with its blobs', async () => {
    await image('old')
    const [old = ''] = await images()
    await utimes(join(workshop.cache, old), longAgo, longAgo)
    const digest = await image('new')
    await forgetUnused(workshop.cache, Date.now())
    expect(await images()).not.toContain(old)
    expect(await images()).toHaveLength(1)
    const blobs = await readdir(join(workshop.cache, 'images', 'blobs', 'sha256'))
    expect(blobs).toHaveLength(3)
    expect(blobs).toContain(digest.replace('sha256:', ''))
  })

  test('counts from the last use, not from the making', async () => {
    const artefact = { name: 'note', inputs: 1, make: async () => {} }
    const path = await makeArtefact(workshop, artefact)
    await utimes(path, longAgo, longAgo)
    await makeArtefact(workshop, artefact)
    await forgetUnused(workshop.cache, Date.now())
    expect(await readdir(workshop.cache)).toContain(path.slice(workshop.cache.length + 1))
  })

  test('may be nothing at all yet', async () => {
    await forgetUnused(workshop.cache, Date.now())
    expect(await readdir(workshop.cache)).toEqual([])
  })
})
