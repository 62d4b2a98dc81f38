import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sealSnapshot } from '../../src/backup/sealed-snapshot.ts'
import { listSnapshots } from '../../src/commands/backup/list-snapshots.ts'
import { snapshotCluster } from '../../src/commands/backup/snapshot-cluster.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { deriveSigningKey } from '../../src/store/trust/signing-key.ts'
import { etcdSnapshot, inPieces, metadata, readAll } from '../backup/snapshot-fixture.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { withIdentities } from './key-bench.ts'
import { changesDuring, expectTidy } from './world-facts.ts'

let bench: Bench
let folder: string
let file: ReturnType<typeof clusterFile>
beforeAll(async () => {
  bench = await startBench()
  folder = await mkdtemp(join(tmpdir(), 'snapshots-'))
  const { signer } = deriveSigningKey({ secret: bench.identity })
  const recipients = [await identityToRecipient(bench.identity)]
  file = clusterFile({ workers: 0 }, { ...bare, state: { signer: [signer], recipients } })
  await applyCluster(bench.run(), { file })
  for (const name of ['first', 'second']) {
    await snapshotCluster(bench.run(), { file, to: join(folder, `${name}.age`) })
    await snapshotCluster(bench.run(), { file, to: `s3://backups/demo/${name}.age` })
  }
})
afterAll(async () => {
  await expectTidy(bench)
  await bench[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const facts = { node: 'demo-control-plane-1', kubernetesVersion: '1.36.3', cluster: 'demo' }

it.each([
  ['a folder', () => folder],
  ['a bucket', () => 's3://backups/demo/'],
])('the snapshots in %s are listed, the newest first, and nothing is changed', async (_, at) => {
  const changes = await changesDuring(bench.sandbox.world, async () => {
    const listed = await listSnapshots(bench.run(), { file, at: at() })
    expect(listed.map(({ place }) => place)).toEqual([
      expect.stringMatching(/second\.age$/),
      expect.stringMatching(/first\.age$/),
    ])
    for (const one of listed) {
      expect(one).toMatchObject({ metadata: facts, doubt: undefined })
      expect(one.size).toBeGreaterThan(500)
    }
  })
  expect(changes).toEqual([])
})

it('a prefix without a slash is a folder, and what is in folders below it is not listed', async () => {
  const objects = bench.sandbox.world.storage.buckets.get('backups')
  const first = objects?.get('demo/first.age')
  if (!first) throw new Error('there is no snapshot')
  objects?.set('demo/below/third.age', first)
  objects?.set('demo-other/fourth.age', first)
  const names = async (at: string) =>
    (await listSnapshots(bench.run(), { file, at })).map(({ place }) => place)
  expect(await names('s3://backups/demo')).toHaveLength(2)
  expect(await names('s3://backups')).toEqual([])
  expect(await names('s3://backups/demo/below')).toEqual(['s3://backups/demo/below/third.age'])
  for (const key of ['demo/below/third.age', 'demo-other/fourth.age']) objects?.delete(key)
})

it('more objects than one answer holds are listed all, whatever their names', async () => {
  const objects = bench.sandbox.world.storage.buckets.get('backups')
  const first = objects?.get('demo/first.age')
  if (!first) throw new Error('there is no snapshot')
  const keys = Array.from({ length: 1_003 }, (_, index) => `many/a & b+<${index}> ü.age`)
  for (const key of keys) objects?.set(key, first)
  const listed = await listSnapshots(bench.run(), { file, at: 's3://backups/many/' })
  expect(listed.map(({ place }) => place).sort()).toEqual(
    keys.map((key) => `s3://backups/${key}`).sort(),
  )
  for (const key of keys) objects?.delete(key)
})

it('what a restore would not take is told from what it would, and other files are passed over', async () => {
  const mixed = await mkdtemp(join(folder, 'mixed-'))
  const sealed = await readFile(join(folder, 'first.age'))
  const mac = sealed.indexOf('\n--- ')
  const stranger = await generateX25519Identity()
  const { signer } = deriveSigningKey({ secret: stranger })
  const sealedBy = (sign: string, cluster: string) =>
    readAll(
      sealSnapshot(inPieces(etcdSnapshot(2_000), 50_000), {
        recipients: [],
        metadata: { ...metadata, cluster },
        sign: () => sign,
      }),
    )
  const wrong = `${signer} ${Buffer.alloc(64).toString('base64')}\n`
  const plain = etcdSnapshot(2_000)
  plain.writeUInt32LE(0xed0cdaed, 16)
  const files: Record<string, Uint8Array> = {
    'a-genuine.age': sealed,
    'b-cut.age': sealed.subarray(0, mac - 40),
    'c-foreign.age': await sealedBy(wrong, 'other'),
    'd-unknown-signer.age': await sealedBy(wrong, 'demo'),
    'e-plain.db': plain,
    'f-notes.txt': Buffer.from('age-encryption.org, they say'),
    'g-empty': Buffer.alloc(0),
  }
  for (const [name, content] of Object.entries(files)) await writeFile(join(mixed, name), content)
  const listed = await listSnapshots(bench.run(), { file, at: mixed })
  const doubts = listed.map(({ place, doubt }) => [place.slice(mixed.length + 1), doubt])
  expect(Object.fromEntries(doubts)).toEqual({
    'a-genuine.age': undefined,
    'c-foreign.age': 'of the cluster other',
    'd-unknown-signer.age': 'signed by somebody whom the cluster file does not name',
    'e-plain.db': expect.stringContaining('a plain one'),
  })
})

it('a storage that sends all of an object, or breaks off, is read like any other', async () => {
  const { faults, storage } = bench.sandbox.world
  const objects = storage.buckets.get('backups')
  const first = objects?.get('demo/first.age')
  if (!first) throw new Error('there is no snapshot')
  // Longer than what is read of it.
  objects?.set('long/first.age', Buffer.concat([first, Buffer.alloc(1 << 20)]))
  for (const kind of ['ignore-range', 'truncate'] as const) {
    faults.inject({ kind, front: 'storage', route: /^GET/, times: 2 })
    const [one] = await listSnapshots(bench.run(), { file, at: 's3://backups/long/' })
    expect(one).toMatchObject({ metadata: facts, doubt: undefined })
    faults.clear()
  }
  objects?.delete('long/first.age')
})

it.each([
  ['strange-page', 'it did not answer with a list of objects'],
  ['wrong-range', 'it sent the bytes from 1 on'],
] as const)('an answer that is none of a storage (%s) is its failure', async (kind, words) => {
  const { faults } = bench.sandbox.world
  faults.inject({ kind, front: 'storage', route: /^GET/, times: 9 })
  const listing = listSnapshots(bench.run(), { file, at: 's3://backups/demo/' })
  await expect(listing).rejects.toMatchObject({
    code: 'object-storage-failed',
    message: expect.stringContaining(words),
  })
  faults.clear()
})

it('without an identity the list says that nothing was opened; another identity opens none', async () => {
  const doubts = async (identities: string[]) =>
    (await listSnapshots(withIdentities(bench.run(), identities), { file, at: folder })).map(
      ({ doubt }) => doubt,
    )
  expect(await doubts([])).toEqual(Array(2).fill('not opened: no identity was given'))
  const other = await generateX25519Identity()
  expect(await doubts([other])).toEqual(Array(2).fill('none of the identities given opens it'))
})

it('a metadata that was put onto another file is found, and so is one that was changed', async () => {
  const mixed = await mkdtemp(join(folder, 'changed-'))
  const header = (bytes: Buffer) => {
    const text = bytes.toString('latin1')
    const start = text.indexOf('-> hcloud-talos/etcd-snapshot')
    const next = [text.indexOf('\n-> ', start), text.indexOf('\n--- ', start)]
    return { start, end: Math.min(...next.filter((at) => at > 0)) }
  }
  const [first, second] = await Promise.all(
    ['first', 'second'].map((name) => readFile(join(folder, `${name}.age`))),
  )
  if (!first || !second) throw new Error('there are no snapshots')
  const [mine, others] = [header(first), header(second)]
  const exchanged = Buffer.concat([
    first.subarray(0, mine.start),
    second.subarray(others.start, others.end),
    first.subarray(mine.end),
  ])
  await writeFile(join(mixed, 'exchanged.age'), exchanged)
  const [one] = await listSnapshots(bench.run(), { file, at: mixed })
  expect(one?.doubt).toMatch(/none of the identities|another file/)
})

it('a folder, a bucket and a storage that are not there are failures of their own', async () => {
  const list = (at: string, context = bench.run()) => listSnapshots(context, { file, at })
  await expect(list(join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'snapshot-missing' })
  await expect(list('s3://nowhere/demo/')).rejects.toMatchObject({ code: 'snapshot-missing' })
  await expect(list('gs://nowhere')).rejects.toMatchObject({ code: 'usage' })
  const { storage: _, ...blind } = bench.run()
  await expect(list('s3://backups/', blind)).rejects.toMatchObject({ code: 'usage' })
})
