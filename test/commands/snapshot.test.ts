import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Decrypter } from 'age-encryption'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { snapshotCluster } from '../../src/commands/backup/snapshot-cluster.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { talosState } from '../../src/sandbox/talos/talos-state.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { openApi, writeNote } from './lost-etcd.ts'
import { expectTidy } from './world-facts.ts'

const file = clusterFile({ controlPlanes: 3, workers: 0 }, { ...bare, ...openApi })
let bench: Bench
let folder: string

beforeAll(async () => {
  bench = await startBench()
  folder = join(bench.sandbox.endpoints.git.folder, '..', '..', 'snapshots')
  await applyCluster(bench.run(), { file })
  await writeNote(bench, file, 'kept')
})
afterAll(async () => {
  await expectTidy(bench)
  await bench[Symbol.asyncDispose]()
})

async function decrypt(bytes: Uint8Array): Promise<string> {
  const decrypter = new Decrypter()
  decrypter.addIdentity(bench.identity)
  return decrypter.decrypt(bytes, 'text')
}

it('goes into a file that only its owner reads, encrypted, with a name of its own', async () => {
  const taken = await snapshotCluster(bench.run(), { file, to: `${folder}/` })
  expect(taken.place).toMatch(/\/demo-\d{8}T\d{6}Z\.etcd\.age$/)
  expect(taken.node).toMatch(/^demo-control-plane-[123]$/)
  const [name, ...others] = await readdir(folder)
  expect([`${folder}/${name}`, others]).toEqual([taken.place, []])
  const { mode, size } = await stat(taken.place)
  expect([mode & 0o777, size]).toEqual([0o600, taken.stored])
  const sealed = await readFile(taken.place)
  expect(sealed.includes('kept')).toBe(false)
  expect(await decrypt(sealed)).toContain('"kept"')
})

it('goes into an object storage', async () => {
  const taken = await snapshotCluster(bench.run(), { file, to: 's3://backups/demo/' })
  const objects = bench.sandbox.world.storage.buckets.get('backups')
  const [[key = '', sealed] = []] = [...(objects ?? [])]
  expect(taken.place).toBe(`s3://backups/${key}`)
  expect(await decrypt(sealed ?? Buffer.alloc(0))).toContain('"kept"')
})

it('never takes the place of what is there', async () => {
  const there = join(folder, 'mine')
  await writeFile(there, 'mine')
  const again = snapshotCluster(bench.run(), { file, to: there })
  await expect(again).rejects.toMatchObject({ code: 'file-unwritable' })
  expect(await readFile(there, 'utf8')).toBe('mine')
  expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([])
})

it('leaves nothing behind when the node goes away in the middle, or the run is ended', async () => {
  const { world } = bench.sandbox
  const stop = new AbortController()
  const cut = () =>
    snapshotCluster(bench.run({ signal: stop.signal }), { file, to: join(folder, 'cut') })
  talosState(world).faults.loseAnswer({ method: 'EtcdSnapshot' })
  await expect(cut()).rejects.toMatchObject({ code: 'talos-unreachable' })
  world.onRequest(({ method }) => {
    if (method === 'EtcdSnapshot') stop.abort(new Error('cancelled'))
  })
  await expect(cut()).rejects.toThrow('cancelled')
  expect((await readdir(folder)).filter((name) => name.startsWith('cut'))).toEqual([])
})

it('says before it asks anybody what it does not understand', async () => {
  for (const to of ['', 's3://backups', 's3://backups/x/y?z', 'gs://backups/x']) {
    const refused = snapshotCluster(bench.run(), { file, to })
    await expect(refused).rejects.toMatchObject({ code: 'usage', hint: expect.any(String) })
  }
  const without = snapshotCluster(bench.run({ storage: undefined }), { file, to: 's3://backups/y' })
  await expect(without).rejects.toMatchObject({ code: 'usage' })
})

it('is taken of a member that sees a leader, also when another one is down', async () => {
  const { world } = bench.sandbox
  const machine = [...world.machines.values()].find(({ name }) => name === 'demo-control-plane-1')
  await machine?.powerOff()
  const taken = await snapshotCluster(bench.run(), { file, to: join(folder, 'two-of-three') })
  expect(taken.node).not.toBe('demo-control-plane-1')
  await machine?.powerOn()
})
