import { expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { clusterFile } from './cluster-files.ts'
import { startBench } from './harness.ts'
import { changesDuring } from './world-facts.ts'

const without = clusterFile({ workers: 0 }, { cni: { type: 'none' } })

it('the end of all traffic between pods is said, and takes the name typed out', async () => {
  await using bench = await startBench()
  await applyCluster(bench.run(), { file: clusterFile({ workers: 0 }) })
  const { plan } = await planCluster(bench.run(), { file: without, verb: 'apply' })
  expect(plan.findings).toMatchObject([
    {
      severity: 'warning',
      path: ['cni', 'type'],
      message: expect.stringMatching(/^Cilium is removed, and traffic between pods,.* ends/),
      hint: expect.stringContaining('hcloud-talos apply --confirm demo'),
    },
  ])
  for (const typed of [undefined, 'demo2', 'yes', '']) {
    const changes = await changesDuring(bench.sandbox.world, () =>
      expect(
        applyCluster(bench.run(), { file: without, typedName: async () => typed }),
      ).rejects.toMatchObject({
        code: 'not-confirmed',
        message: expect.stringContaining('nothing was changed'),
      }),
    )
    expect(changes).toEqual([])
  }
  await applyCluster(bench.run(), { file: without, typedName: async () => 'demo' })
  const after = await planCluster(bench.run(), { file: without, verb: 'apply' })
  expect(after.plan.changes).toEqual([])
  // The way back takes it as well.
  const back = clusterFile({ workers: 0 })
  await expect(applyCluster(bench.run(), { file: back })).rejects.toMatchObject({
    code: 'not-confirmed',
    message: expect.stringMatching(/^Cilium takes the place of whatever network/),
  })
  await applyCluster(bench.run(), { file: back, typedName: async () => 'demo' })
})
