import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { snapshotCluster } from '../../src/commands/backup/snapshot-cluster.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { typeTalos } from '../cli/talos-bench.ts'
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

it('a control plane that is off is passed over: the next one gives a snapshot, and lowers the alarm', async () => {
  const { sandbox } = bench
  const [etcd] = newestCluster(sandbox.world).etcds.values()
  if (!etcd) throw new Error('there is no etcd')
  etcd.outOfSpace = etcd.leader
  const machines = [...sandbox.world.machines.values()]
  const first = machines.find(({ name }) => name === 'demo-control-plane-1')
  await first?.powerOff()
  const folder = bench.run().tempFolder
  await writeFile(join(folder, 'cluster.yaml'), larger.text)
  const type = (...words: string[]) =>
    typeTalos([...words, '--config', join(folder, 'cluster.yaml')], { context: bench.run() })

  const taken = await type('etcd', 'snapshot', join(folder, 'etcd.db'))
  expect(taken.error).toBeUndefined()
  expect(taken.stderr).toEqual([
    expect.stringMatching(/^demo-control-plane-1: talos-unreachable/),
    expect.stringMatching(/etcd\.db, .*, of demo-control-plane-2$/),
  ])
  expect((await stat(join(folder, 'etcd.db'))).size).toBeGreaterThan(32)

  const lowered = await type('etcd', 'alarm', 'disarm', '--yes')
  expect(lowered.error).toBeUndefined()
  expect(lowered.stdout).toContain('demo-control-plane-2')
  expect(etcd.outOfSpace).toBeUndefined()

  const named = await type(
    'etcd',
    'snapshot',
    join(folder, 'named.db'),
    '-n',
    'demo-control-plane-1',
  )
  expect(named.error).toMatchObject({ code: 'talos-unreachable' })
  await expect(stat(join(folder, 'named.db'))).rejects.toThrow('ENOENT')
  await first?.powerOn()
  await first?.settled()
})
