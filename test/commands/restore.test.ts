import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { generateX25519Identity } from 'age-encryption'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSnapshot as openSealed, sealSnapshot } from '../../src/backup/sealed-snapshot.ts'
import { mintAccess } from '../../src/commands/access/mint-access.ts'
import { restoreCluster } from '../../src/commands/backup/restore-cluster.ts'
import { snapshotCluster } from '../../src/commands/backup/snapshot-cluster.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { recoverState } from '../../src/commands/state/recover-state.ts'
import { seededRandom } from '../../src/lib/random.ts'
import type { RestorePlan } from '../../src/planner/restore-plan.ts'
import type { RunContext } from '../../src/run/run-context.ts'
import { signatureFile } from '../../src/store/trust/signature-file.ts'
import { deriveSigningKey } from '../../src/store/trust/signing-key.ts'
import { deleteServerByHand } from './by-hand.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { hasNote, loseEtcd, openApi, writeNote } from './lost-etcd.ts'
import { changesDuring, expectTidy, newestCluster, refs } from './world-facts.ts'

const file = clusterFile({ controlPlanes: 3, workers: 0 }, { ...bare, ...openApi })
const names = ['demo-control-plane-1', 'demo-control-plane-2', 'demo-control-plane-3']

// One cluster, lost in one way after the other.
let bench: Bench
let folder: string
let place: string

beforeAll(async () => {
  bench = await startBench()
  folder = join(bench.sandbox.endpoints.git.folder, '..', '..', 'snapshots')
  await applyCluster(bench.run(), { file })
  await writeNote(bench, file, 'kept')
  place = (await snapshotCluster(bench.run(), { file, to: `${folder}/` })).place
  await writeNote(bench, file, 'later')
})
afterAll(() => bench[Symbol.asyncDispose]())

interface Asked {
  readonly snapshot?: string
  readonly discardEtcd?: boolean
  readonly context?: RunContext
  readonly answer?: boolean
}

async function restore({
  snapshot = place,
  discardEtcd = false,
  context,
  answer = true,
}: Asked = {}) {
  let shown: RestorePlan | undefined
  const result = await restoreCluster(context ?? bench.run(), {
    file,
    snapshot,
    discardEtcd,
    confirm: async (plan) => {
      shown = plan
      return answer
    },
  })
  return { ...result, shown }
}

/** Fails with a code and changes nothing, on the branch, at Hetzner or on any node. */
async function expectUntouched(code: string, work: () => Promise<unknown>): Promise<void> {
  const before = [await refs(bench), newestCluster(bench.sandbox.world).bootstraps.length]
  const stop = () => expect(work()).rejects.toMatchObject({ code, hint: expect.any(String) })
  expect(await changesDuring(bench.sandbox.world, stop)).toEqual([])
  expect([await refs(bench), newestCluster(bench.sandbox.world).bootstraps.length]).toEqual(before)
}

/** There is one etcd, with all three as its voters, and the note of the snapshot is back. */
async function expectRestored(): Promise<void> {
  const { world } = bench.sandbox
  const etcds = [...newestCluster(world).etcds.values()]
  expect(etcds).toHaveLength(1)
  const running = etcds.flatMap((etcd) => etcd.voters.filter(({ id }) => etcd.isStarted(id)))
  expect(running.map(({ hostname }) => hostname).sort()).toEqual(names)
  expect(await hasNote(bench, file, 'kept')).toBe(true)
  expect(await hasNote(bench, file, 'later')).toBe(false)
  expect((await planCluster(bench.run(), { file, verb: 'apply' })).plan.changes).toEqual([])
  await expectTidy(bench)
}

it('a cluster whose etcd lives is not restored', async () => {
  await expectUntouched('etcd-alive', () => restore())
  expect(await hasNote(bench, file, 'later')).toBe(true)
})

it('a snapshot that is damaged, or of somebody else, is refused before anything is asked', async () => {
  const sealed = await readFile(place)
  const damaged = join(folder, 'damaged')
  await writeFile(damaged, sealed.subarray(0, sealed.length - 3))
  await expectUntouched('snapshot-damaged', () => restore({ snapshot: damaged }))
  await expectUntouched('snapshot-missing', () => restore({ snapshot: join(folder, 'nothing') }))
  await expectUntouched('snapshot-foreign', () => restore({ snapshot: '/etc/hostname' }))
  await expectUntouched('snapshot-missing', () => restore({ snapshot: 's3://backups/nothing' }))
  const forged = join(folder, 'forged')
  await writeFile(forged, await signedByAnother(sealed))
  await expectUntouched('snapshot-foreign', () => restore({ snapshot: forged }))
  const other = await startBench()
  try {
    const { identity } = bench
    const theirs = other.run({ random: seededRandom(99) })
    const context = { ...theirs, state: { ...theirs.state, identity } }
    const single = clusterFile({ workers: 0 }, bare)
    await applyCluster(context, { file: single })
    const foreign = join(folder, 'foreign')
    await snapshotCluster(context, { file: single, to: foreign })
    await expectUntouched('snapshot-foreign', () => restore({ snapshot: foreign }))
  } finally {
    await other[Symbol.asyncDispose]()
  }
})

/** The same snapshot with the same metadata, of this cluster and for its recipients, by whoever may write to the bucket. */
async function signedByAnother(sealed: Uint8Array): Promise<Uint8Array> {
  const { signed, plain } = await openSealed(Readable.from([sealed]), [bench.identity])
  const key = deriveSigningKey({ secret: await generateX25519Identity() })
  const resealed = sealSnapshot(plain, {
    metadata: signed.metadata,
    recipients: [bench.recipient],
    sign: (bytes) => Buffer.from(signatureFile(key, bytes)).toString('latin1'),
  })
  return buffer(resealed)
}

it('an identity that does not open the state opens nothing', async () => {
  const stranger = bench.run()
  const identity = await generateX25519Identity()
  const context = { ...stranger, state: { ...stranger.state, identity } }
  await expectUntouched('state-signer-unknown', () => restore({ context }))
})

it('a control plane that does not answer is not taken for lost', async () => {
  await loseEtcd(bench.sandbox.world)
  const machine = bench.sandbox.world.machineNamed('demo-control-plane-3')
  const hardware = [...bench.sandbox.world.machines.values()].find((one) => one === machine)
  await hardware?.powerOff()
  await expectUntouched('etcd-alive', () => restore())
  await hardware?.powerOn()
  await hardware?.settled()
})

it('what is not confirmed is not done', async () => {
  const { restored, shown } = await restore({ answer: false })
  expect(restored).toBe(false)
  expect(shown).toMatchObject({ clusterName: 'demo', wipes: [], alive: [], resumes: false })
})

it('an etcd whose data is gone on every node is brought back', async () => {
  const { restored, left } = await restore()
  expect([restored, left]).toEqual([true, 0])
  await expectRestored()
})

it('to go back although etcd lives takes a word for it', async () => {
  await writeNote(bench, file, 'later')
  const { shown } = await restore({ discardEtcd: true })
  expect(shown).toMatchObject({ wipes: names, alive: names })
  await expectRestored()
})

it('a lost quorum is brought back: servers that are gone are recreated, the rest is wiped', async () => {
  await writeNote(bench, file, 'later')
  for (const name of names.slice(0, 2)) await deleteServerByHand(bench, name)
  await expectUntouched('etcd-alive', () => restore())
  const { shown } = await restore({ discardEtcd: true })
  expect(shown?.wipes).toEqual(['demo-control-plane-3'])
  expect(shown?.alive).toEqual([])
  expect(shown?.creates.map(({ key }) => key).sort()).toEqual([
    'node/demo-control-plane-1',
    'node/demo-control-plane-2',
    'server/demo-control-plane-1',
    'server/demo-control-plane-2',
  ])
  await expectRestored()
})

it('the branch and etcd are lost: the state is recovered first, then the snapshot restored', async () => {
  await writeNote(bench, file, 'later')
  const { talosconfig = '' } = await mintAccess(bench.run(), { file, hours: 1 })
  await loseEtcd(bench.sandbox.world)
  const remote = bench.sandbox.endpoints.git.folder
  execFileSync('git', ['-C', remote, 'update-ref', '-d', 'refs/heads/hcloud-talos'])
  const wayIn = { kind: 'talosconfig', text: talosconfig } as const
  const { plan } = await recoverState(bench.run(), { file, wayIn })
  // Nobody begins another etcd in the place of the one that was lost.
  expect(plan.changes).toEqual([])
  await restore()
  await expectRestored()
})
