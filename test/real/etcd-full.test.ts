import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectNothingLeft } from './cluster-facts.ts'
import { etcdSizes, fillUp } from './fill-etcd.ts'
import { lossHands } from './loss-hands.ts'
import { type RealCluster, startRealCluster } from './real-cluster.ts'
import { realFile } from './real-file.ts'

// A database that is full, and the quota of docs/troubleshooting.md.
const node = 'demo-control-plane-1'
const mebibyte = 1_048_576
const quota = 16 * mebibyte

let cluster: RealCluster
beforeAll(async () => {
  cluster = await startRealCluster('etcd-full')
})
afterAll(() => cluster[Symbol.asyncDispose]())
const hands = lossHands(() => cluster, { controlPlanes: [node], workers: [] })

/** A small quota is full in seconds. */
async function write(quotaBytes: number): Promise<void> {
  const etcd = { extraArgs: { 'quota-backend-bytes': `${quotaBytes}` } }
  const controlPlanePatches = [{ cluster: { etcd } }]
  const text = realFile({ controlPlanes: 1, workers: 0, controlPlanePatches })
  await cluster.bench.write('cluster.yaml', text)
}

async function said(...args: string[]): Promise<string> {
  const { stdout, stderr } = await cluster.run(...args)
  return stdout + stderr
}

it('a cluster begins whose etcd has little room', async () => {
  await write(quota)
  await cluster.succeed('apply', '--yes')
  await cluster.fetchAccess()
  await hands.keep('before-it-was-full')
})

it('a full etcd: plan and doctor name it, and an apply raises its quota under the alarm', async () => {
  await fillUp(cluster, node, quota)
  expect(await said('plan')).toMatch(/etcd raises an alarm: [0-9a-f]{16} is out of space/)
  expect(await said('doctor')).toContain(
    'etcd raises an alarm: demo-control-plane-1 is out of space',
  )
  await write(4 * quota)
  const started = performance.now()
  const applied = await cluster.run('apply', '--yes')
  expect(applied.code, applied.stdout + applied.stderr).toBe(64)
  expect(applied.stderr).toContain('hcloud-talos talos etcd alarm disarm')
  await cluster.succeed('talos', 'etcd', 'alarm', 'disarm', '--yes')
  await cluster.succeed('apply', '--yes')
  const seconds = (performance.now() - started) / 1_000
  process.stdout.write(`etcd-full, a larger quota: ${seconds.toFixed(0)} s; lost: nothing\n`)
  await hands.expectWhole()
  expect(await hands.kept('before-it-was-full')).toBe(true)
  expect((await etcdSizes(cluster, node)).inUse).toBeGreaterThan(quota / 2)
})

it('destroy leaves nothing behind', async () => {
  await cluster.succeed('destroy', '--confirm', 'demo')
  expectNothingLeft(cluster)
})
