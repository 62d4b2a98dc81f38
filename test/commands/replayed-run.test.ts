import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { restoreCluster } from '../../src/commands/backup/restore-cluster.ts'
import { snapshotCluster } from '../../src/commands/backup/snapshot-cluster.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { destroyCluster } from '../../src/commands/cluster/destroy-cluster.ts'
import { buildImages } from '../../src/commands/modes/hetzner-talos/build-images.ts'
import { compactState } from '../../src/commands/state/compact-state.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import type { RunContext } from '../../src/run/run-context.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { cutOff } from './cut-off.ts'
import { makeDefaultBranch } from './default-branch.ts'
import { type Bench, startBench } from './harness.ts'
import { hasNote, openApi, writeNote } from './lost-etcd.ts'
import { changesDuring, leftovers } from './world-facts.ts'

// One cluster, whose file did not change since its workflows ran; only the note `later` came after them.
let bench: Bench
let main: Awaited<ReturnType<typeof makeDefaultBranch>>
let file: ClusterFile
let place: string

beforeAll(async () => {
  bench = await startBench()
  main = await makeDefaultBranch(bench)
  const { text } = clusterFile({ workers: 0 }, { ...bare, ...openApi })
  await main.merge({ 'cluster.yaml': text })
  const { folder } = bench.run().state
  file = { path: join(folder, 'cluster.yaml'), text }
  await applyCluster(bench.run(), { file })
  place = (await snapshotCluster(bench.run(), { file, to: `${folder}/snapshots/` })).place
})
afterAll(() => bench[Symbol.asyncDispose]())

/** An attempt of a run on the newest commit of the default branch. */
function attempt(number: number, id: string, context = bench.run()): RunContext {
  const { remote, credentials } = context.state
  const source = { remote, credentials, ref: 'refs/heads/main', defaultBranch: 'main' }
  return { ...context, run: { ...context.run, id, attempt: number, commit: main.head(), source } }
}

const restore = (context: RunContext, over: Partial<ClusterFile> = {}) =>
  restoreCluster(context, {
    file: { ...file, ...over },
    snapshot: place,
    discardEtcd: true,
    confirm: async () => true,
  })
const destroy = (context: RunContext) =>
  destroyCluster(context, { file, confirm: async () => true })

async function expectOutdated(work: () => Promise<unknown>): Promise<void> {
  const stop = () => expect(work()).rejects.toMatchObject({ code: 'run-outdated' })
  expect(await changesDuring(bench.sandbox.world, stop)).toEqual([])
}

it('a restore with a file that is not the merged one touches nothing', async () => {
  const text = clusterFile({ workers: 3 }, { ...bare, ...openApi }).text
  await expectOutdated(() => restore(attempt(1, 'gh-1-restore'), { text }))
})

it('nor does a snapshot, an image or a compaction: its text counts, and not the commit of the run', async () => {
  const other = { ...file, text: `${file.text}\n# not merged` }
  const to = join(bench.run().state.folder, 'other')
  await expectOutdated(() => snapshotCluster(attempt(1, 'gh-2'), { file: other, to }))
  await expectOutdated(() => buildImages(attempt(1, 'gh-2'), { file: other }))
  await expectOutdated(() => compactState(attempt(1, 'gh-2'), { file: other }))
  await expectOutdated(() => applyCluster(attempt(1, 'gh-2'), { file: other }))
})

it('a restore that was cut off is finished by a re-run of the same run, and by that once', async () => {
  const id = 'gh-3-restore'
  await writeNote(bench, file, 'lost')
  const { world } = bench.sandbox
  let awaited: string | undefined = 'Reset'
  world.onRequest(({ front, method }) => {
    if (front !== 'talos' || method !== awaited) return
    awaited = undefined
    world.cutAfter(0)
  })
  const finished = await cutOff(bench, { after: 10_000 }, (run) => restore(attempt(1, id, run)))
  expect(finished).toBe(false)
  expect((await restore(attempt(2, id))).restored).toBe(true)
  expect(await hasNote(bench, file, 'lost')).toBe(false)
  await writeNote(bench, file, 'later')
  await expectOutdated(() => restore(attempt(3, id)))
  expect(await hasNote(bench, file, 'later')).toBe(true)
})

it('a re-run of another restore, however old, does not roll a living etcd back', async () => {
  await expectOutdated(() => restore(attempt(2, 'gh-4-restore')))
  expect(await hasNote(bench, file, 'later')).toBe(true)
})

it('a re-run of a destroy does not delete the cluster that was made after it', async () => {
  const id = 'gh-5-destroy'
  await expectOutdated(() => destroy(attempt(2, id)))
  const { world } = bench.sandbox
  let isBegun = false
  world.onRequest(({ front, method }) => {
    if (isBegun || front !== 'hetzner' || method !== 'DELETE') return
    isBegun = true
    world.cutAfter(0)
  })
  await cutOff(bench, { after: 10_000 }, (run) => destroy(attempt(1, id, run)))
  expect((await destroy(attempt(2, id))).destroyed).toBe(true)
  expect(leftovers(bench.sandbox.world)).toEqual({})
  await applyCluster(bench.run(), { file })
  await expectOutdated(() => destroy(attempt(3, id)))
})
