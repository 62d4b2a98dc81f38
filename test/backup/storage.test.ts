import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { downloadObject } from '../../src/backup/s3/download-object.ts'
import { ObjectStorage, type StorageSettings } from '../../src/backup/s3/object-storage.ts'
import { uploadObject } from '../../src/backup/s3/upload-object.ts'
import { createClock } from '../../src/lib/clock.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { serveStorage, storageAccount } from '../../src/sandbox/storage/serve-storage.ts'
import { World } from '../../src/sandbox/world.ts'
import { createPatientClock } from '../commands/patient-clock.ts'
import { inPieces, readAll } from './snapshot-fixture.ts'

const clock = createPatientClock()
let world: World
let access: StorageSettings

beforeAll(async () => {
  world = new World({ clock })
  const { url } = await serveStorage(world)
  access = { ...storageAccount, endpoint: url }
})
beforeEach(() => {
  world.storage.buckets.get('backups')?.clear()
  world.storage.uploads.clear()
  world.faults.clear()
})
afterAll(() => world.close())

function storage(more: Partial<StorageSettings> = {}, signal = new AbortController().signal) {
  return new ObjectStorage(
    { ...access, ...more },
    { clock, calendar: createClock(), random: seededRandom(1), signal },
  )
}

const place = { bucket: 'backups', key: 'clusters/demo & others/(1) ä+b=c.age' }
const megabyte = 1 << 20
/** Parts as small as S3 takes them. */
const small = { partSize: 5 * megabyte }
const bytes = (length: number) => {
  const pattern = Buffer.from(seededRandom(length).bytes(Math.min(length, 9_973)))
  return Buffer.alloc(length, pattern)
}
const stored = () => world.storage.buckets.get('backups')?.get(place.key)
const asked = () =>
  world.requests.filter(({ front }) => front === 'storage').map(({ method }) => method)

test('an object of one part and one of many come back as they were', async () => {
  for (const length of [1, 5 * megabyte, 5 * megabyte + 1, 12 * megabyte]) {
    const content = bytes(length)
    expect(await uploadObject(storage(), place, inPieces(content, megabyte), small)).toBe(length)
    expect(stored()?.equals(content)).toBe(true)
    expect((await readAll(downloadObject(storage(), place))).equals(content)).toBe(true)
    world.storage.buckets.get('backups')?.clear()
  }
  expect(world.storage.uploads.size).toBe(0)
})

test('what is there is not replaced', async () => {
  await uploadObject(storage(), place, inPieces(bytes(10), 10))
  const again = uploadObject(storage(), place, inPieces(bytes(11), 11))
  await expect(again).rejects.toMatchObject({ code: 'file-unwritable' })
  expect(stored()?.length).toBe(10)
})

test('a line that breaks and a server that is busy are asked again', async () => {
  const content = bytes(12 * megabyte)
  for (const kind of ['drop-before', 'drop-after', 'unavailable', 'server-error'] as const) {
    for (const route of [/^HEAD/, /^POST/, /^PUT/]) {
      world.faults.inject({ kind, front: 'storage', route })
    }
    await uploadObject(storage(), place, inPieces(content, megabyte), small)
    world.faults.inject({ kind, front: 'storage', route: /^GET/ })
    expect((await readAll(downloadObject(storage(), place))).equals(content)).toBe(true)
    world.storage.buckets.get('backups')?.clear()
  }
})

test('the end of an upload whose answer was lost is found out', async () => {
  const content = bytes(6 * megabyte)
  let posts = 0
  world.onRequest(({ front, method }) => {
    if (front !== 'storage' || method !== 'POST') return
    posts++
    if (posts === 1) world.faults.inject({ kind: 'drop-after', front: 'storage', route: /^POST/ })
  })
  await uploadObject(storage(), place, inPieces(content, megabyte), small)
  expect(posts).toBe(3)
  expect(stored()?.equals(content)).toBe(true)
})

test('a download that breaks off continues from there', async () => {
  const content = bytes(3 * megabyte)
  await uploadObject(storage(), place, inPieces(content, megabyte), small)
  world.faults.inject({ kind: 'truncate', front: 'storage', route: /^GET/, times: 3 })
  expect((await readAll(downloadObject(storage(), place))).equals(content)).toBe(true)
})

test('a download that goes on gets what is missing, also where all of it comes again', async () => {
  const content = bytes(3 * megabyte)
  await uploadObject(storage(), place, inPieces(content, megabyte), small)
  world.faults.inject({ kind: 'truncate', front: 'storage', route: /^GET/ })
  world.faults.inject({ kind: 'ignore-range', front: 'storage', route: /^GET/ })
  expect((await readAll(downloadObject(storage(), place))).equals(content)).toBe(true)
  world.faults.inject({ kind: 'truncate', front: 'storage', route: /^GET/ })
  world.faults.inject({ kind: 'wrong-range', front: 'storage', route: /^GET/ })
  const strange = readAll(downloadObject(storage(), place))
  await expect(strange).rejects.toMatchObject({ code: 'object-storage-failed' })
})

test('answers to an upload that break off are asked for again', async () => {
  const content = bytes(12 * megabyte)
  world.faults.inject({ kind: 'truncate', front: 'storage', route: /^POST/ })
  await uploadObject(storage(), place, inPieces(content, megabyte), small)
  expect(stored()?.equals(content)).toBe(true)
})

test('an upload that fails on the way leaves nothing behind', async () => {
  world.storage.uploads.clear()
  async function* failing() {
    yield bytes(11 * megabyte)
    throw new Error('the snapshot ended early')
  }
  await expect(uploadObject(storage(), place, failing(), small)).rejects.toThrow('ended early')
  expect(stored()).toBeUndefined()
  expect(world.storage.uploads.size).toBe(0)
  expect(asked().at(-1)).toBe('DELETE')
})

test('refusals come in the words of the storage, and never with the secret', async () => {
  const wrong: [Partial<StorageSettings>, string][] = [
    [{ secretAccessKey: 'x' }, 'SignatureDoesNotMatch'],
    [{ accessKeyId: 'x' }, 'InvalidAccessKeyId'],
    [{ region: 'nbg1' }, "expecting 'fsn1'"],
    [{ endpoint: 'http://127.0.0.1:9' }, 'ECONNREFUSED'],
  ]
  for (const [more, words] of wrong) {
    const error = await readAll(downloadObject(storage(more), place)).catch((reason) => reason)
    if (words === 'ECONNREFUSED') expect(error.code).toBe('object-storage-failed')
    else expect(error).toMatchObject({ code: 'object-storage-failed' })
    if (words !== 'ECONNREFUSED') expect(error.message).toContain(words)
    expect(JSON.stringify(error)).not.toContain(access.secretAccessKey)
  }
})

test('what is not there is missing', async () => {
  for (const there of [place, { ...place, bucket: 'other' }]) {
    const read = readAll(downloadObject(storage(), there))
    await expect(read).rejects.toMatchObject({ code: 'snapshot-missing' })
  }
})
