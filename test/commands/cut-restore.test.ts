import { join } from 'node:path'
import { expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/apply-cluster.ts'
import { planCluster } from '../../src/commands/plan-cluster.ts'
import { restoreCluster } from '../../src/commands/restore-cluster.ts'
import type { RunContext } from '../../src/commands/run-context.ts'
import { snapshotCluster } from '../../src/commands/snapshot-cluster.ts'
import { deleteServerByHand } from './by-hand.ts'
import { clusterFile } from './cluster-files.ts'
import { cutOff } from './cut-off.ts'
import { cutPoints, cutTimeoutMs } from './cut-points.ts'
import { startBench } from './harness.ts'
import { hasNote, loseEtcd, openApi, writeNote } from './lost-etcd.ts'
import { usableNodes } from './simulated-kubernetes.ts'
import { expectTidy, holdings, newestCluster } from './world-facts.ts'

const file = clusterFile({ controlPlanes: 3, workers: 1 }, openApi)
const nodes = [
  'demo-control-plane-1',
  'demo-control-plane-2',
  'demo-control-plane-3',
  'demo-workers-1',
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
  const restore = (context: RunContext) =>
    restoreCluster(context, { file, snapshot: to, discardEtcd: false, confirm: async () => true })
  let round = 0
  for (const after of cutPoints([30, 55, 75, 95, 125], 190)) {
    round++
    await writeNote(bench, file, `later-${round}`)
    // In turns: the data is gone, or one server is left with data that is worth nothing.
    if (round % 2 === 0) await loseEtcd(world)
    else for (const name of nodes.slice(0, 2)) await deleteServerByHand(bench, name)
    await cutOff(bench, { after, loseLast: round % 3 === 0 }, restore)
    const isBack = await restore(bench.run()).then(
      ({ restored, left }) => restored && left === 0,
      // It had come to its end before it was cut off.
      (error: { code?: string }) => error.code === 'etcd-alive',
    )
    expect(isBack, `cut after ${after}`).toBe(true)
    const { etcds, kubernetes } = newestCluster(world)
    expect([etcds.size, kubernetes.size], `cut after ${after}`).toEqual([1, 1])
    expect(usableNodes(world), `cut after ${after}`).toEqual(nodes)
    expect(holdings(world)).toEqual(before)
    expect(await hasNote(bench, file, 'kept')).toBe(true)
    expect(await hasNote(bench, file, `later-${round}`)).toBe(false)
    const { plan } = await planCluster(bench.run(), { file, verb: 'apply' })
    expect(plan.changes).toEqual([])
    await expectTidy(bench)
  }
})
