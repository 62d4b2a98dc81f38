import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { lockCache } from '../../../rig/bed/lock-cache.ts'
import { type Artefact, makeArtefact, removeUnfinished } from '../../../rig/bed/make-artefact.ts'
import type { Workshop } from '../../../rig/bed/workshop.ts'
import type { Json } from '../../../src/lib/json.ts'

let workshop: Workshop
let lines: string[]

beforeEach(async () => {
  lines = []
  workshop = {
    root: '/nowhere',
    cache: await mkdtemp(join(tmpdir(), 'bed-test-')),
    path: process.env['PATH'] ?? '',
    report: (line) => lines.push(line),
    signal: new AbortController().signal,
  }
})

afterEach(async () => {
  await rm(workshop.cache, { recursive: true, force: true })
})

/** An artefact of one file, which counts how often it is made. */
function note(inputs: Json): Artefact & { made: number } {
  const artefact = {
    name: 'note',
    inputs,
    made: 0,
    make: async (folder: string) => {
      artefact.made++
      await writeFile(join(folder, 'note'), JSON.stringify(inputs))
    },
  }
  return artefact
}

describe('an artefact of the cache', () => {
  test('is made once for its inputs, and found afterwards', async () => {
    const first = note({ version: 1 })
    const path = await makeArtefact(workshop, first)
    expect(await readFile(join(path, 'note'), 'utf8')).toBe('{"version":1}')
    const again = note({ version: 1 })
    expect(await makeArtefact(workshop, again)).toBe(path)
    expect([first.made, again.made]).toEqual([1, 0])
    expect(lines).toEqual([expect.stringMatching(/^note: made in \d+ s$/)])
  })

  test('of other inputs lies elsewhere, and the former one stays', async () => {
    const before = await makeArtefact(workshop, note({ version: 1 }))
    const after = await makeArtefact(workshop, note({ version: 2 }))
    expect(after).not.toBe(before)
    expect(await readFile(join(before, 'note'), 'utf8')).toBe('{"version":1}')
  })

  test('that could not be made leaves nothing, and is made the next time', async () => {
    const failing: Artefact = {
      ...note(1),
      make: async (folder) => {
        await writeFile(join(folder, 'half'), '')
        throw new Error('cut off')
      },
    }
    await expect(makeArtefact(workshop, failing)).rejects.toThrow('cut off')
    expect(await readdir(join(workshop.cache, 'unfinished'))).toEqual([])
    const path = await makeArtefact(workshop, note(1))
    expect(await readdir(path)).toEqual(['note'])
  })

  test('left half by a run that was killed is removed, and what is whole is kept', async () => {
    const whole = await makeArtefact(workshop, note(1))
    void makeArtefact(workshop, { ...note(2), make: () => new Promise(() => {}) })
    await expect.poll(() => readdir(join(workshop.cache, 'unfinished'))).toHaveLength(1)
    await removeUnfinished(workshop.cache)
    expect(await readdir(workshop.cache)).toEqual([whole.slice(workshop.cache.length + 1)])
  })

  test('made by two at once is one', async () => {
    const paths = await Promise.all([
      makeArtefact(workshop, note(1)),
      makeArtefact(workshop, note(1)),
    ])
    expect(new Set(paths).size).toBe(1)
    expect(await readdir(join(workshop.cache, 'unfinished'))).toEqual([])
  })
})

describe('the lock of the cache', () => {
  test('is held by one at a time', async () => {
    const order: string[] = []
    const first = await lockCache(workshop)
    const second = lockCache(workshop).then(async (held) => {
      order.push('second has it')
      await held[Symbol.asyncDispose]()
    })
    await new Promise((resolve) => setTimeout(resolve, 200))
    order.push('first gives it free')
    await first[Symbol.asyncDispose]()
    await second
    expect(order).toEqual(['first gives it free', 'second has it'])
  })

  test('is no longer waited for when the run is cancelled', async () => {
    await using _held = await lockCache(workshop)
    const stop = new AbortController()
    const waiting = lockCache({ ...workshop, signal: stop.signal })
    stop.abort(new Error('cancelled'))
    await expect(waiting).rejects.toThrow('cancelled')
  })

  test('in a folder that is not there is an error that says so', async () => {
    await expect(lockCache({ ...workshop, cache: '/nowhere' })).rejects.toMatchObject({
      name: 'RigError',
      message: 'the folder /nowhere cannot be locked',
    })
  })
})
