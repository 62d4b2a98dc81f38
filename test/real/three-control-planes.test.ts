import { afterAll, beforeAll, expect, it } from 'vitest'
import { etcdMembers, expectNothingLeft, nodeNames, readyNodes } from './cluster-facts.ts'
import { failingChangesFail } from './failing-changes.ts'
import { losses } from './losses.ts'
import { methodsBefore13 } from './methods-before-1-13.ts'
import { type RealCluster, startRealCluster } from './real-cluster.ts'
import { type RealFile, realFile } from './real-file.ts'
import { startWriting } from './write-probe.ts'

// From the oldest pair of versions that the bed has to the newest, and from three control planes to one and back.
const before = { talos: '1.12.1', kubernetes: '1.34.4' }
const after = { talos: '1.13.0', kubernetes: '1.35.4' }

const first = 'demo-control-plane-1'
const three = [first, 'demo-control-plane-2', 'demo-control-plane-3']

let cluster: RealCluster
beforeAll(async () => {
  cluster = await startRealCluster('three')
})
afterAll(() => cluster[Symbol.asyncDispose]())

async function apply(file: RealFile, ...args: string[]): Promise<string> {
  await cluster.bench.write('cluster.yaml', realFile(file))
  const { stdout } = await cluster.succeed('apply', '--yes', ...args)
  return stdout
}

async function expectSettled(file: RealFile): Promise<void> {
  expect(await apply(file)).toContain('nothing to do')
}

it('the first apply makes three control planes of the versions before', async () => {
  const file = { controlPlanes: 3, workers: 1, ...before }
  await apply(file)
  await cluster.fetchAccess()
  expect(await readyNodes(cluster)).toEqual([...three, 'demo-pool-1'])
  expect(await etcdMembers(cluster, first)).toEqual(three)
  await expectSettled(file)
})

methodsBefore13(() => cluster, first)

it('rolls into another Talos and another Kubernetes, and etcd takes every write', async () => {
  const file = { controlPlanes: 3, workers: 1, ...after }
  expect(await apply(file)).toContain('wait')
  const writing = startWriting(cluster)
  await cluster.succeed('upgrade', '--yes')
  const { tried, failed } = await writing.stop()
  expect(tried).toBeGreaterThan(20)
  expect(failed).toEqual([])
  for (const node of three) {
    const { stdout } = await cluster.talosctl(node, 'version', '--short')
    expect(stdout).toContain(`v${after.talos}`)
  }
  const { stdout } = await cluster.kubectl(
    'get',
    'nodes',
    '--output=jsonpath={.items[*].status.nodeInfo.kubeletVersion}',
  )
  expect(new Set(stdout.split(' '))).toEqual(new Set([`v${after.kubernetes}`]))
  expect(await etcdMembers(cluster, first)).toEqual(three)
  await expectSettled(file)
})

it('replaces a control plane that died', async () => {
  const died = three[1] ?? ''
  const machine = cluster.world.machineNamed(died)
  if (machine === undefined) throw new Error(`there is no ${died}`)
  await cluster.world.shutdown(machine)
  // Kubernetes hears of it forty seconds later.
  await expect
    .poll(() => readyNodes(cluster), { timeout: 180_000, interval: 2_000 })
    .not.toContain(died)
  await apply({ controlPlanes: 3, workers: 1, ...after }, '--replace', died)
  expect(cluster.world.machineNamed(died)?.serverId).not.toBe(machine.serverId)
  expect(await etcdMembers(cluster, first)).toEqual(three)
  expect(await readyNodes(cluster)).toEqual([...three, 'demo-pool-1'])
})

it('goes back to one, each out of etcd before its server goes', async () => {
  await apply({ controlPlanes: 1, workers: 1, ...after })
  expect(await etcdMembers(cluster, first)).toEqual([first])
  expect(await nodeNames(cluster)).toEqual([first, 'demo-pool-1'])
  await expectSettled({ controlPlanes: 1, workers: 1, ...after })
})

it('goes to three again, each a voting member of etcd', async () => {
  await apply({ controlPlanes: 3, workers: 1, ...after })
  expect(await etcdMembers(cluster, first)).toEqual(three)
  expect(await readyNodes(cluster)).toEqual([...three, 'demo-pool-1'])
})

// One control plane has each of them alone.
failingChangesFail(() => cluster, { controlPlanes: 3, workers: 1, ...after }, [
  ['apiServer'],
  ['admission', 'controllerManager', 'scheduler'],
  ['kubelet'],
  ['etcd'],
])

// docs/disaster-recovery.md, on real nodes.
losses(() => cluster)

it('destroy leaves nothing behind', async () => {
  await cluster.succeed('destroy', '--confirm', 'demo')
  expectNothingLeft(cluster)
})
