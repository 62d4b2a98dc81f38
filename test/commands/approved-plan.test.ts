import { expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { toApprovedPlan } from '../../src/plan/verdict.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { cutOff } from './cut-off.ts'
import { type Bench, startBench } from './harness.ts'
import { changesDuring, expectTidy, leftovers, refs } from './world-facts.ts'

const file = clusterFile({}, bare)
const larger = clusterFile({ workers: 2 }, bare)

async function approve(bench: Bench) {
  return toApprovedPlan((await planCluster(bench.run(), { file, verb: 'apply' })).plan)
}

it('an approval holds for its plan, and for what is left of it after an interruption', async () => {
  await using bench = await startBench()
  const approved = await approve(bench)
  const cut = { after: 60 }
  const finished = await cutOff(bench, cut, (run) => applyCluster(run, { file, approved }))
  expect(finished).toBe(false)
  const { applied, plan } = await applyCluster(bench.run(), { file, approved })
  expect(applied).toBe(true)
  expect(plan.changes.length).toBeGreaterThan(0)
  expect(plan.changes.length).toBeLessThan(approved.changes.length)
  await expectTidy(bench)
})

it('nothing is done of a plan that nobody approved', async () => {
  await using bench = await startBench()
  const { world } = bench.sandbox
  const approved = await approve(bench)
  const applying = () =>
    expect(applyCluster(bench.run(), { file: larger, approved })).rejects.toMatchObject({
      code: 'plan-moved',
      message: expect.stringContaining('create server/demo-workers-2'),
    })
  expect(await changesDuring(world, applying)).toEqual([])
  expect(leftovers(world)).toEqual({})
  expect(await refs(bench)).toEqual({})
})

it('nothing is done of a plan that is not confirmed', async () => {
  await using bench = await startBench()
  const { world } = bench.sandbox
  const confirm = async () => false
  expect(await applyCluster(bench.run(), { file, confirm })).toMatchObject({ applied: false })
  expect(leftovers(world)).toEqual({})
  expect(await refs(bench)).toEqual({})
})
