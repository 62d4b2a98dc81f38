import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Decrypter } from 'age-encryption'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { restoreCluster } from '../../src/commands/backup/restore-cluster.ts'
import { snapshotCluster } from '../../src/commands/backup/snapshot-cluster.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { describeRestore, type RestorePlan } from '../../src/planner/restore-plan.ts'
import { silentProgress } from '../silent-progress.ts'
import { deleteServerByHand } from './by-hand.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { hasNote, openApi, writeNote } from './lost-etcd.ts'
import { expectTidy } from './world-facts.ts'

// Two of three servers are deleted: what the third one holds is newer than any snapshot.
const file = clusterFile({ controlPlanes: 3, workers: 0 }, { ...bare, ...openApi })
const lost = ['demo-control-plane-1', 'demo-control-plane-2']
const survivor = 'demo-control-plane-3'

let bench: Bench
let folder: string
let nightly: string

beforeAll(async () => {
  bench = await startBench()
  folder = join(bench.sandbox.endpoints.git.folder, '..', '..', 'snapshots')
  await applyCluster(bench.run(), { file })
  nightly = (await snapshotCluster(bench.run(), { file, to: `${folder}/nightly/` })).place
})
afterAll(async () => {
  await expectTidy(bench)
  await bench[Symbol.asyncDispose]()
})

async function loseQuorum(): Promise<void> {
  for (const name of lost) await deleteServerByHand(bench, name)
}

async function takeSnapshot(to: string) {
  const warnings: string[] = []
  const progress = { ...silentProgress, warn: (text: string) => void warnings.push(text) }
  const taken = await snapshotCluster(bench.run({ progress }), { file, to: `${folder}/${to}/` })
  return { ...taken, warnings: warnings.join('\n') }
}

async function restore(snapshot: string, discardEtcd = false) {
  let shown: RestorePlan | undefined
  await restoreCluster(bench.run(), {
    file,
    snapshot,
    discardEtcd,
    confirm: async (plan) => {
      shown = plan
      return true
    },
  })
  return shown
}

async function openSealed(path: string): Promise<Uint8Array> {
  const decrypter = new Decrypter()
  decrypter.addIdentity(bench.identity)
  return decrypter.decrypt(await readFile(path))
}

it('the survivor comes first: plan and restore name its snapshot before an older one', async () => {
  await writeNote(bench, file, 'of-today')
  await loseQuorum()
  const { plan } = await planCluster(bench.run(), { file, verb: 'apply' })
  const [finding] = plan.findings.filter(({ severity }) => severity === 'error')
  expect(finding?.hint).toMatch(/hcloud-talos snapshot`.*hcloud-talos restore.*earlier/s)
  await expect(restore(nightly)).rejects.toMatchObject({
    code: 'etcd-alive',
    message: expect.stringContaining(survivor),
    hint: expect.stringMatching(/hcloud-talos snapshot.*--discard-etcd/),
  })
})

it('a snapshot is taken of the survivor without a quorum, says so, and brings everything back', async () => {
  const taken = await takeSnapshot('survivor')
  expect(taken).toMatchObject({ node: survivor, quorum: false })
  expect(taken.warnings).toContain(`lost its quorum: this snapshot is of ${survivor}`)
  const shown = await restore(taken.place)
  expect(shown).toMatchObject({ wipes: [survivor], alive: [], newer: [] })
  expect(shown && describeRestore(shown)).toContain('survived without a quorum')
  expect(shown && describeRestore(shown)).toContain('nothing that they have is lost')
  expect(await hasNote(bench, file, 'of-today')).toBe(true)
  // What was wiped lies beside the snapshot, sealed.
  const copies = (await readdir(join(folder, 'survivor'))).filter((name) => /replaced/.test(name))
  expect(copies).toEqual([expect.stringMatching(`^demo-replaced-${survivor}-.*\\.etcd\\.age$`)])
  const copy = await openSealed(join(folder, 'survivor', copies[0] ?? ''))
  expect(Buffer.from(copy).toString('latin1')).toContain('of-today')
})

it('a survivor that was restarted answers nobody: its database is read from its disk', async () => {
  await writeNote(bench, file, 'before-the-restart')
  await loseQuorum()
  const machine = [...bench.sandbox.world.machines.values()].find(({ name }) => name === survivor)
  await machine?.powerCycle()
  await machine?.settled()
  const taken = await takeSnapshot('restarted')
  expect(taken).toMatchObject({ node: survivor, quorum: false })
  expect(taken.warnings).toContain('as it lies on the disk')
  expect((await restore(taken.place))?.newer).toEqual([])
  expect(await hasNote(bench, file, 'before-the-restart')).toBe(true)
})

it('an older snapshot over a survivor takes a word, and what goes is kept sealed', async () => {
  await writeNote(bench, file, 'lost-on-purpose')
  await loseQuorum()
  const shown = await restore(nightly, true)
  expect(shown).toMatchObject({ wipes: [survivor], alive: [], newer: [survivor] })
  expect(shown && describeRestore(shown)).toContain(`! ${survivor} holds data that is newer`)
  expect(shown && describeRestore(shown)).toMatch(
    /after the snapshot is lost: since .*, \d+ min ago/,
  )
  expect(await hasNote(bench, file, 'lost-on-purpose')).toBe(false)
  const [name = ''] = (await readdir(join(folder, 'nightly'))).filter((one) => /replaced/.test(one))
  // The copy is a snapshot like any other: the way back leads over it.
  await restore(join(folder, 'nightly', name), true)
  expect(await hasNote(bench, file, 'lost-on-purpose')).toBe(true)
})

it('a plain file is taken where it holds the authority of this cluster, and no other', async () => {
  const plain = join(folder, 'plain.snapshot')
  const content = await openSealed(nightly)
  await writeFile(plain, content)
  const shown = await restore(plain, true)
  expect(shown).toMatchObject({ metadata: undefined, wipes: [...lost, survivor] })
  expect(await hasNote(bench, file, 'lost-on-purpose')).toBe(false)
  const other = join(folder, 'other.snapshot')
  await writeFile(other, await ofAnotherCluster(content))
  await expect(restore(other, true)).rejects.toMatchObject({ code: 'snapshot-foreign' })
})

/** The same content with another authority in it, and a hash that fits. */
async function ofAnotherCluster(content: Uint8Array): Promise<Uint8Array> {
  const { createHash } = await import('node:crypto')
  const text = Buffer.from(content.subarray(0, -32)).toString('latin1')
  const changed = Buffer.from(
    text.replaceAll('BEGIN CERTIFICATE-----\\nMII', 'BEGIN CERTIFICATE-----\\nMIJ'),
    'latin1',
  )
  return Buffer.concat([changed, createHash('sha256').update(changed).digest()])
}
