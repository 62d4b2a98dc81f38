import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { cordon } from '../../src/kubernetes/nodes.ts'
import { fieldAt, textAt } from '../../src/lib/kubernetes-object.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import { talosState } from '../../src/sandbox/talos/talos-state.ts'
import { byHand, deleteServerByHand, idOf } from './by-hand.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { openApi, withKubernetes } from './lost-etcd.ts'
import { bootIds } from './node-hands.ts'
import { nodesOf } from './simulated-kubernetes.ts'
import { expectTidy } from './world-facts.ts'

// Three workers in pools of their own; `demo-b-1` is out of service when a run begins.
const pools = ['a', 'b', 'c'].map((name) => ({ name, count: 1, type: 'cx33' }))
const [away, others] = ['demo-b-1', ['demo-a-1', 'demo-c-1', 'demo-control-plane-1']]
let rules = 0
let bench: Bench

/** With another rule each time: what takes a reboot, of every node or of the control plane alone. */
function file(patches: 'patches' | 'controlPlanePatches' | undefined): ClusterFile {
  const patch = { machine: { udev: { rules: [`rule-${rules}`] } } }
  const talos = { version: 'v1.13.9', ...(patches && { [patches]: [patch] }) }
  return clusterFile({ workers: pools }, { ...bare, ...openApi, talos })
}

beforeAll(async () => {
  bench = await startBench()
  await applyCluster(bench.run(), { file: file(undefined) })
})
afterAll(async () => {
  await expectTidy(bench)
  await bench[Symbol.asyncDispose]()
})

const world = () => bench.sandbox.world
/** Its machine runs as Kubernetes knows it, and takes pods; without a network none is Ready. */
const isServing = () => {
  const node = nodesOf(world()).find(({ metadata }) => metadata.name === away)
  const bootId = textAt(node, 'status', 'nodeInfo', 'bootID')
  if (bootId === undefined || bootId !== bootIds(bench)[away]) return false
  return fieldAt(node, 'spec', 'unschedulable') !== true
}

/** The others that were cordoned at a request before the one that is away served again. */
function watchOthers(isBack = isServing): ReadonlySet<string> {
  const beside = new Set<string>()
  let isOver = false
  world().onRequest(() => {
    isOver ||= isBack()
    if (isOver) return
    for (const node of nodesOf(world())) {
      const { name } = node.metadata
      if (others.includes(name) && fieldAt(node, 'spec', 'unschedulable') === true) beside.add(name)
    }
  })
  return beside
}

/** A run cordoned the node and was killed; it answers nobody for so long. */
async function stoppedByDeadRun(minutes: number): Promise<void> {
  await withKubernetes(bench, file(undefined), (client) => cordon(client, away, 'dead-run'))
  const { faults } = talosState(world())
  faults.hang(away)
  void world()
    .clock.sleep(minutes * 60_000)
    .then(() => faults.release(away))
}

const rebootedSince = (boots: Record<string, string>) =>
  Object.keys(boots).filter((name) => bootIds(bench)[name] !== boots[name])

it('what a killed run stopped is waited for before anything else is stopped', async () => {
  await stoppedByDeadRun(4)
  const [beside, boots] = [watchOthers(), bootIds(bench)]
  rules++
  await applyCluster(bench.run(), { file: file('controlPlanePatches') })
  expect([...beside]).toEqual([])
  expect(rebootedSince(boots)).toEqual(['demo-control-plane-1'])
  expect(isServing()).toBe(true)
})

it('where it does not come back, the run says which node that is and stops nothing', async () => {
  await stoppedByDeadRun(60)
  const boots = bootIds(bench)
  rules++
  await expect(
    applyCluster(bench.run(), { file: file('controlPlanePatches') }),
  ).rejects.toMatchObject({
    message: expect.stringContaining(`${away}, which the run dead-run took out of service`),
    hint: expect.stringContaining(`apply --replace ${away}`),
  })
  expect(rebootedSince(boots)).toEqual([])
  talosState(world()).faults.release(away)
  await applyCluster(bench.run(), { file: file('controlPlanePatches') })
  expect(isServing()).toBe(true)
})

it('one that its own change may bring back is changed first', async () => {
  await stoppedByDeadRun(12)
  const [beside, boots] = [watchOthers(), bootIds(bench)]
  rules++
  await applyCluster(bench.run(), { file: file('patches') })
  expect([...beside]).toEqual([])
  expect(rebootedSince(boots).sort()).toEqual([...others, away].sort())
})

it('one that is switched off is started first, and waited for', async () => {
  const id = idOf(world().hetzner.servers, away)
  const former = bootIds(bench)[away]
  await byHand(bench, 'POST', `/servers/${id}/actions/poweroff`)
  const beside = watchOthers(() => bootIds(bench)[away] !== former && isServing())
  rules++
  await applyCluster(bench.run(), { file: file('controlPlanePatches') })
  expect([...beside]).toEqual([])
  expect(isServing()).toBe(true)
})

it('nobody is stopped beside a node of which the server is gone, until it is back', async () => {
  await deleteServerByHand(bench, away)
  const beside = watchOthers()
  rules++
  await applyCluster(bench.run(), { file: file('patches') })
  expect([...beside]).toEqual([])
  expect(isServing()).toBe(true)
})
