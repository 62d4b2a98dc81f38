import { expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { upgradeCluster } from '../../src/commands/cluster/upgrade-cluster.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { cutOff } from './cut-off.ts'
import { type Bench, startBench } from './harness.ts'
import { changesDuring, inventoryOf } from './world-facts.ts'

const at = (talos: string, kubernetes: string) =>
  clusterFile(
    { controlPlanes: 3, workers: 0 },
    { ...bare, talos: { version: talos }, kubernetes: { version: kubernetes } },
  )

/** An apply and an upgrade refuse it in their plans, and carry nothing out. */
async function expectRefused(bench: Bench, file: ClusterFile, path: string[], message: string) {
  for (const verb of ['apply', 'upgrade'] as const) {
    const { plan } = await planCluster(bench.run(), { file, verb })
    const errors = plan.findings.filter(({ severity }) => severity === 'error')
    expect(errors, verb).toMatchObject([{ path, message: expect.stringContaining(message) }])
  }
  const changes = await changesDuring(bench.sandbox.world, async () => {
    await expect(applyCluster(bench.run(), { file })).rejects.toMatchObject({
      code: 'plan-refused',
    })
    await expect(upgradeCluster(bench.run(), { file })).rejects.toMatchObject({
      code: 'plan-refused',
    })
  })
  expect(changes).toEqual([])
}

it('no version goes back, be it by a patch release', async () => {
  await using bench = await startBench()
  await applyCluster(bench.run(), { file: at('v1.13.9', '1.36.3') })
  await expectRefused(
    bench,
    at('v1.13.8', '1.36.3'),
    ['talos', 'version'],
    'Talos does not go back from v1.13.9 to v1.13.8: demo-control-plane-1 runs v1.13.9',
  )
  await expectRefused(
    bench,
    at('v1.13.9', '1.36.0'),
    ['kubernetes', 'version'],
    'Kubernetes does not go back from 1.36.3 to 1.36.0: demo-control-plane-1 runs 1.36.3',
  )
  // Up and back at once is back.
  await expectRefused(bench, at('v1.13.8', '1.36.4'), ['talos', 'version'], 'does not go back')
})

it('a cluster between two versions is judged by the newest that any node runs', async () => {
  await using bench = await startBench()
  const { world } = bench.sandbox
  await applyCluster(bench.run(), { file: at('v1.12.1', '1.34.0') })
  let cut = false
  world.onRequest(({ front, path }) => {
    // The second node is being drained: the first is done.
    if (cut || front !== 'kubernetes' || !path.endsWith('/nodes/demo-control-plane-2')) return
    if (versionOnDisk(bench) !== 'v1.12.11') return
    cut = true
    world.cutAfter(1)
  })
  const after = Number.POSITIVE_INFINITY
  const target = at('v1.12.11', '1.34.0')
  expect(await cutOff(bench, { after }, (run) => upgradeCluster(run, { file: target }))).toBe(false)
  const versions = (await inventoryOf(bench)).nodes.map(({ talosVersion }) => talosVersion)
  expect(versions).toEqual(['v1.12.11', 'v1.12.1', 'v1.12.1'])
  const middle = at('v1.12.6', '1.34.0')
  await expectRefused(bench, middle, ['talos', 'version'], 'from v1.12.11 to v1.12.6')
  // The node that went ahead may be replaced: a new server gets the version of the file.
  const replace = ['demo-control-plane-1']
  const { plan } = await planCluster(bench.run(), { file: middle, verb: 'apply', replace })
  expect(plan.findings.filter(({ severity }) => severity === 'error')).toEqual([])
})

function versionOnDisk({ sandbox: { world } }: Bench): string | undefined {
  const first = [...world.machines.values()].find(({ name }) => name === 'demo-control-plane-1')
  const { image } = first?.disk ?? {}
  return image?.kind === 'talos' ? image.version : undefined
}
