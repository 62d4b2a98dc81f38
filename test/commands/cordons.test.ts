import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { upgradeCluster } from '../../src/commands/cluster/upgrade-cluster.ts'
import { cordon, getNode, nodeRef } from '../../src/kubernetes/nodes.ts'
import type { Progress } from '../../src/lib/progress.ts'
import { talosState } from '../../src/sandbox/talos/talos-state.ts'
import { silentProgress } from '../silent-progress.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { openApi, withKubernetes } from './lost-etcd.ts'
import { expectTidy } from './world-facts.ts'

const file = (talos: string) =>
  clusterFile({ workers: 2 }, { ...bare, ...openApi, talos: { version: talos } })
const [older, newer] = [file('v1.13.0'), file('v1.13.9')]
const worker = 'demo-workers-1'

let bench: Bench
beforeAll(async () => {
  bench = await startBench()
  await applyCluster(bench.run(), { file: older })
})
afterAll(async () => {
  await expectTidy(bench)
  await bench[Symbol.asyncDispose]()
})

const patch = (name: string, unschedulable: boolean | null) =>
  withKubernetes(bench, older, (client) => client.patch(nodeRef(name), { spec: { unschedulable } }))
const nodeNamed = (name: string) => withKubernetes(bench, older, (client) => getNode(client, name))

/** Everything that phases say. */
function listening() {
  const log: string[] = []
  const progress: Progress = {
    ...silentProgress,
    phase: (title) => ({ ...silentProgress.phase(title), step: (text) => void log.push(text) }),
  }
  return { log, progress }
}

it('a cordon of a run that ended early is taken off; one that was made by hand stays', async () => {
  await withKubernetes(bench, older, (client) => cordon(client, worker, 'dead-run'))
  await patch('demo-workers-2', true)
  // Uncordoned by hand and cordoned again later: the mark of ours must not make it ours.
  await withKubernetes(bench, older, (client) => cordon(client, 'demo-control-plane-1', 'dead-run'))
  await patch('demo-control-plane-1', null)
  const { log, progress } = listening()
  await applyCluster(bench.run({ progress }), { file: older })
  expect(log).toContainEqual(expect.stringMatching(`${worker}: uncordoned .*dead-run`))
  expect(await nodeNamed(worker)).toMatchObject({ unschedulable: false, cordonedBy: undefined })
  expect(await nodeNamed('demo-workers-2')).toMatchObject({ unschedulable: true })
  await patch('demo-control-plane-1', true)
  await applyCluster(bench.run(), { file: older })
  expect(await nodeNamed('demo-control-plane-1')).toMatchObject({ unschedulable: true })
  await patch('demo-control-plane-1', null)
  await patch('demo-workers-2', null)
})

it('an upgrade that stopped at a node keeps its cordon as long as it is wanted, and says so', async () => {
  const { faults } = talosState(bench.sandbox.world)
  faults.failUpgrade(worker, 100)
  await expect(upgradeCluster(bench.run(), { file: newer })).rejects.toMatchObject({
    code: 'talos-upgrade-failed',
  })
  faults.release(worker)
  expect(await nodeNamed(worker)).toMatchObject({ unschedulable: true })
  const { log, progress } = listening()
  await applyCluster(bench.run({ progress }), { file: newer })
  expect(log).toContainEqual(
    expect.stringMatching(`${worker} stays cordoned: its upgrade to Talos v1.13.9 was started`),
  )
  expect(await nodeNamed(worker)).toMatchObject({ unschedulable: true })
  await upgradeCluster(bench.run(), { file: newer })
  expect(await nodeNamed(worker)).toMatchObject({ unschedulable: false })
})
