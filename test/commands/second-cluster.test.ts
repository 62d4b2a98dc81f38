import { expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { destroyCluster } from '../../src/commands/cluster/destroy-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { startBench } from './harness.ts'
import { changesDuring, expectTidy } from './world-facts.ts'

const named = (clusterName: string, more: JsonObject = {}) =>
  clusterFile({ workers: 0 }, { ...bare, clusterName, ...more })

it('a cluster that was renamed in its file is no second one beside the first', async () => {
  await using bench = await startBench()
  await applyCluster(bench.run(), { file: named('demo') })
  const file = named('prod')
  const { plan } = await planCluster(bench.run(), { file, verb: 'apply' })
  expect(plan.findings).toEqual([
    {
      severity: 'error',
      path: ['clusterName'],
      position: { line: 2, column: 18 },
      message:
        'the branch hcloud-talos has no cluster prod, but demo (1 server in this project): an apply would create a second cluster, and that one would run on, and be billed',
      hint: 'If this file is that of demo, write clusterName: demo again: a cluster keeps its name for life. If demo is to go, destroy it first, with its name in the file. If both are wanted, write state.alongside: [demo].',
    },
  ])
  const changes = await changesDuring(bench.sandbox.world, () =>
    expect(applyCluster(bench.run(), { file })).rejects.toMatchObject({ code: 'plan-refused' }),
  )
  expect(changes).toEqual([])
  await expectTidy(bench)
})

it('two clusters on one branch are had by naming the other', async () => {
  await using bench = await startBench()
  await applyCluster(bench.run(), { file: named('demo') })
  const other = { state: { alongside: ['demo'] }, network: { cidr: '10.1.0.0/16' } }
  await applyCluster(bench.run(), { file: named('prod', other) })
  // Once both are there, neither file need say so.
  for (const file of [named('demo'), named('prod', { network: { cidr: '10.1.0.0/16' } })]) {
    const { plan } = await planCluster(bench.run(), { file, verb: 'apply' })
    expect(plan).toMatchObject({ changes: [], findings: [] })
  }
})

it('a name is free again once its cluster was destroyed', async () => {
  await using bench = await startBench()
  await applyCluster(bench.run(), { file: named('demo') })
  await destroyCluster(bench.run(), { file: named('demo'), confirm: async () => true })
  const { plan } = await planCluster(bench.run(), { file: named('prod'), verb: 'apply' })
  expect(plan.findings).toEqual([])
})

it('a cluster that was renamed together with its branch is warned of by the servers of the former one', async () => {
  await using bench = await startBench()
  await applyCluster(bench.run(), { file: named('demo') })
  const moved = (state: JsonObject) => named('prod', { state: { branch: 'other', ...state } })
  const { plan } = await planCluster(bench.run(), { file: moved({}), verb: 'apply' })
  expect(plan.findings).toEqual([
    expect.objectContaining({
      severity: 'warning',
      message: expect.stringContaining('there are demo (1 server in this project)'),
      hint: expect.stringContaining('write clusterName: demo and its former state.branch again'),
    }),
  ])
  const planned = await planCluster(bench.run(), {
    file: moved({ alongside: ['demo'] }),
    verb: 'apply',
  })
  expect(planned.plan.findings).toEqual([])
})
