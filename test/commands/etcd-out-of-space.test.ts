import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/apply-cluster.ts'
import { planCluster } from '../../src/commands/plan-cluster.ts'
import { snapshotCluster } from '../../src/commands/snapshot-cluster.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { runningConfig } from './node-hands.ts'
import { expectTidy, newestCluster } from './world-facts.ts'

const firewall = { talosApi: ['127.0.0.0/8'] }
const fileWith = (patches: JsonObject[]) =>
  clusterFile(
    { controlPlanes: 3, workers: 0 },
    { ...bare, firewall, talos: { version: 'v1.13.9', patches } },
  )
const file = fileWith([])
const larger = fileWith([
  { cluster: { etcd: { extraArgs: { 'quota-backend-bytes': '8589934592' } } } },
])

let bench: Bench
beforeAll(async () => {
  bench = await startBench()
  await applyCluster(bench.run(), { file })
  const [etcd] = newestCluster(bench.sandbox.world).etcds.values()
  if (etcd) etcd.outOfSpace = etcd.leader
})
afterAll(async () => {
  await expectTidy(bench)
  await bench[Symbol.asyncDispose]()
})

const wayOut = expect.stringMatching(/talos etcd defrag.*quota.*talos etcd alarm disarm/s)

it('a plan names an etcd that is out of space, and our commands; a snapshot is taken all the same', async () => {
  const { plan } = await planCluster(bench.run(), { file, verb: 'apply' })
  expect(plan.changes).toEqual([])
  expect(plan.findings).toContainEqual(
    expect.objectContaining({
      severity: 'warning',
      message: expect.stringMatching(/etcd raises an alarm: [0-9a-f]{16} is out of space/),
      hint: wayOut,
    }),
  )
  const taken = await snapshotCluster(bench.run(), {
    file,
    to: `${bench.run().tempFolder}/full.age`,
  })
  expect(taken.quorum).toBe(true)
})

it('an apply with nothing to do says at once what is wrong', async () => {
  await expect(applyCluster(bench.run(), { file })).rejects.toMatchObject({
    code: 'etcd-unhealthy',
    message: expect.stringContaining('is out of space'),
    hint: wayOut,
  })
})

it('the change that raises the quota goes through, and the cluster is healthy once the alarm is lowered', async () => {
  await expect(applyCluster(bench.run(), { file: larger })).rejects.toMatchObject({
    code: 'etcd-unhealthy',
    hint: wayOut,
  })
  for (const slot of [1, 2, 3]) {
    expect(runningConfig(bench, `demo-control-plane-${slot}`)).toContain('8589934592')
  }
  const [etcd] = newestCluster(bench.sandbox.world).etcds.values()
  if (etcd) etcd.outOfSpace = undefined
  const { plan } = await applyCluster(bench.run(), { file: larger })
  expect(plan.changes).toEqual([])
})
