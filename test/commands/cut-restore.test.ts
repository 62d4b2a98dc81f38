import { join } from 'node:path'
import { expect, it } from 'vitest'
import { restoreCluster } from '../../src/commands/backup/restore-cluster.ts'
import { snapshotCluster } from '../../src/commands/backup/snapshot-cluster.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import type { RunContext } from '../../src/run/run-context.ts'
import { deleteServerByHand } from './by-hand.ts'
import { clusterFile } from './cluster-files.ts'
import { cutOff } from './cut-off.ts'
import { cutPoints, cutTimeoutMs } from './cut-points.ts'
import { type Bench, startBench } from './harness.ts'
import { hasNote, loseEtcd, openApi, writeNote } from './lost-etcd.ts'
import { usableNodes } from './simulated-kubernetes.ts'
import { expectTidy, holdings, newestCluster, stateFiles } from './world-facts.ts'

const file = clusterFile({ controlPlanes: 3, workers: 1 }, openApi)
const nodes = [
  'demo-control-plane-1',
  'demo-control-plane-2',
  'demo-control-plane-3',
  'demo-workers-1',
]

interface Cut {
  /** What is lost before: the data on every control plane, or two servers and so the quorum. */
  readonly lost: 'data' | 'servers'
  /** How many requests go through. */
  readonly after?: number
  /** Or: the line breaks when a node is asked this. */
  readonly at?: string
}

// It asks about ninety times where the data is lost, a hundred and twenty where servers are.
const byCount = cutPoints([30, 62, 105], 120).map(
  (after, index): Cut => ({ after, lost: index % 2 === 0 ? 'servers' : 'data' }),
)
const byCall: Cut[] = [
  { at: 'Reset', lost: 'servers' },
  { at: 'EtcdRecover', lost: 'data' },
  { at: 'Bootstrap', lost: 'servers' },
]

it('a restore that is killed at a request goes on and brings the cluster back', {
  timeout: cutTimeoutMs,
}, async () => {
  await using bench = await startBench()
  const { world } = bench.sandbox
  await applyCluster(bench.run(), { file })
  await writeNote(bench, file, 'kept')
  const to = join(bench.sandbox.endpoints.git.folder, '..', '..', 'snapshot.age')
  await snapshotCluster(bench.run(), { file, to })
  const before = holdings(world)
  // A control plane that survived holds what came after the snapshot.
  const restore = (context: RunContext, discardEtcd = true) =>
    restoreCluster(context, { file, snapshot: to, discardEtcd, confirm: async () => true })
  let awaited: string | undefined
  world.onRequest(({ front, method }) => {
    if (front !== 'talos' || method !== awaited) return
    awaited = undefined
    world.cutAfter(0)
  })
  for (const [index, { lost, after = Number.POSITIVE_INFINITY, at }] of [
    ...byCount,
    ...byCall,
  ].entries()) {
    const where = `cut ${at ?? after}`
    await writeNote(bench, file, `later-${index}`)
    if (lost === 'data') await loseEtcd(world)
    else for (const name of nodes.slice(0, 2)) await deleteServerByHand(bench, name)
    awaited = at
    await cutOff(bench, { after, loseLast: index % 3 === 2 }, restore)
    expect(awaited, where).toBeUndefined()
    if (await isWrittenDown(bench)) {
      // It had come to its end, and another one would begin from the start.
      await expect(restore(bench.run(), false), where).rejects.toMatchObject({ code: 'etcd-alive' })
    } else {
      const { restored, left } = await restore(bench.run())
      expect([restored, left], where).toEqual([true, 0])
    }
    const { etcds, kubernetes } = newestCluster(world)
    expect([etcds.size, kubernetes.size], where).toEqual([1, 1])
    expect(usableNodes(world), where).toEqual(nodes)
    expect(holdings(world), where).toEqual(before)
    expect(await hasNote(bench, file, 'kept'), where).toBe(true)
    expect(await hasNote(bench, file, `later-${index}`), where).toBe(false)
    const { plan } = await planCluster(bench.run(), { file, verb: 'apply' })
    expect(plan.changes, where).toEqual([])
    await expectTidy(bench)
  }
})

/** Whether the last restore wrote down that it was done. */
async function isWrittenDown(bench: Bench): Promise<boolean> {
  const { 'demo/journal.json': journal = '' } = await stateFiles(bench)
  const { entries }: { entries: { fact: string }[] } = JSON.parse(journal)
  return entries.at(-1)?.fact === 'etcd-recovered'
}
