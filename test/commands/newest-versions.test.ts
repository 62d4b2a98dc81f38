import { expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { upgradeCluster } from '../../src/commands/cluster/upgrade-cluster.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { startBench } from './harness.ts'
import { bootIds, runningConfig } from './node-hands.ts'
import { changesDuring, expectTidy, inventoryOf } from './world-facts.ts'

const versions = (talos: string, kubernetes: string) => ({
  talos: { version: talos },
  kubernetes: { version: kubernetes },
})
const nodes = ['demo-control-plane-1', 'demo-workers-1']

it('a cluster goes from 1.13 with 1.36 to Talos 1.14 with Kubernetes 1.37 and keeps the shape of its configs', async () => {
  await using bench = await startBench()
  const former = clusterFile({}, { ...bare, ...versions('v1.13.9', '1.36.3') })
  const newer = clusterFile({}, { ...bare, ...versions('v1.14.1', '1.37.2') })
  await applyCluster(bench.run(), { file: former })
  await upgradeCluster(bench.run(), { file: newer })

  const inventory = await inventoryOf(bench)
  expect(inventory.nodes).toMatchObject(
    nodes.map((name) => ({ name, talosVersion: 'v1.14.1', kubernetesVersion: '1.37.2' })),
  )
  expect(runningConfig(bench, 'demo-control-plane-1')).toContain('kube-apiserver:v1.37.2')
  expect(runningConfig(bench, 'demo-control-plane-1')).toContain('secretboxEncryptionSecret')
  for (const verb of ['apply', 'upgrade'] as const) {
    const next = await planCluster(bench.run(), { file: newer, verb })
    expect([...next.plan.changes, ...next.plan.waiting]).toEqual([])
  }
  await expectTidy(bench)
})

it('a new cluster of both comes from the factory that its file names', async () => {
  await using bench = await startBench()
  const { world, endpoints } = bench.sandbox
  const file = clusterFile(
    {},
    {
      ...bare,
      talos: { version: 'v1.14.1', factory: endpoints.factory, extensions: ['siderolabs/gvisor'] },
      kubernetes: { version: '1.37.2' },
    },
  )
  const run = () => {
    const context = bench.run()
    return { ...context, endpoints: { ...context.endpoints, factory: undefined } }
  }
  await applyCluster(run(), { file })
  // Nodes of 1.14 refuse nothing for its reboot, and reboot by themselves for nothing: this run does, once, through the gate.
  const former = bootIds(bench)
  const changed = {
    ...file,
    text: file.text.replace('"extensions"', '"patches": ["machine: {env: {A: b}}"], "extensions"'),
  }
  expect((await planCluster(run(), { file: changed, verb: 'apply' })).plan.risk).toBe('reboot')
  await applyCluster(run(), { file: changed })
  for (const name of nodes) {
    expect(runningConfig(bench, name)).toMatch(/env:\n +A: b/)
    expect(bootIds(bench)[name]).not.toBe(former[name])
  }
  const booted = bootIds(bench)
  await applyCluster(run(), { file: changed })
  expect(bootIds(bench)).toEqual(booted)
  const { host } = new URL(endpoints.factory)
  for (const name of nodes) {
    expect(runningConfig(bench, name)).toContain(`image: ${host}/hcloud-installer/`)
  }
  expect(await changesDuring(world, () => applyCluster(run(), { file: changed }))).toEqual([])
  await expectTidy(bench)
})
