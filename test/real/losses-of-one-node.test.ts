import { afterAll, beforeAll, expect, it } from 'vitest'
import { endAuthoritiesOf } from '../drills/end-authorities-of.ts'
import { expectNothingLeft } from './cluster-facts.ts'
import { etcdSizes, fillUp } from './fill-etcd.ts'
import { knock } from './knock.ts'
import { lossHands } from './loss-hands.ts'
import { type RealCluster, startRealCluster } from './real-cluster.ts'
import { realFile } from './real-file.ts'

// One control plane, twice in trouble: a full database and its quota (docs/troubleshooting.md), then authorities
// that end by the clock of a real node (docs/certificates.md). One life, since a cluster takes minutes to begin.
const node = 'demo-control-plane-1'
const key = 'demo/demo-20261128T020000Z.etcd.age'
const wayBack = /the CA of the Talos API ended on .*`hcloud-talos restore --snapshot/s
const mebibyte = 1_048_576
/** A small quota is full in seconds. */
const quota = 16 * mebibyte

let cluster: RealCluster
beforeAll(async () => {
  cluster = await startRealCluster('losses-of-one-node')
})
afterAll(() => cluster[Symbol.asyncDispose]())
const hands = lossHands(() => cluster, { controlPlanes: [node], workers: [] })

async function write(quotaBytes: number): Promise<void> {
  const etcd = { extraArgs: { 'quota-backend-bytes': `${quotaBytes}` } }
  const controlPlanePatches = [{ cluster: { etcd } }]
  const text = realFile({ controlPlanes: 1, workers: 0, controlPlanePatches })
  await cluster.bench.write('cluster.yaml', text)
}

async function printed(...args: string[]): Promise<string> {
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
  expect(await printed('plan')).toMatch(/etcd raises an alarm: [0-9a-f]{16} is out of space/)
  expect(await printed('doctor')).toContain(
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
  await hands.expectHealthy()
  expect(await hands.kept('before-it-was-full')).toBe(true)
  expect((await etcdSizes(cluster, node)).inUse).toBeGreaterThan(quota / 2)
})

it('a snapshot is taken, and life goes on', async () => {
  await hands.keep('before-the-snapshot')
  cluster.world.storage.buckets.set('my-bucket', new Map())
  await cluster.succeed('snapshot', `s3://my-bucket/${key}`)
  await hands.keep('after-the-snapshot')
})

it('authorities that have ended: the node lets nobody in, and a restore on a new server renews them', async () => {
  // Certificates know whole seconds.
  const end = Math.ceil(Date.now() / 1_000) * 1_000 + 60_000
  const { address, credentials } = await endAuthoritiesOf(cluster.bench, end)
  expect(await knock(address, credentials)).toBe('accepted')
  await expect
    .poll(() => knock(address, credentials), { timeout: 120_000, interval: 2_000 })
    .toContain('alert certificate expired')
  expect(Date.now()).toBeGreaterThanOrEqual(end)
  expect((await cluster.kubectl('get', 'nodes')).stderr).toContain('Unauthorized')
  const apply = await cluster.run('apply', '--yes')
  expect(apply.code, apply.stderr).toBe(45)
  expect(apply.stderr).toMatch(wayBack)
  const kubeconfig = await cluster.run('kubeconfig', '--out', 'refused')
  expect(kubeconfig.code, kubeconfig.stderr).toBe(65)
  expect((await cluster.run('doctor')).stdout).toMatch(wayBack)

  // Nor does a reboot help.
  await hands.resetServer(node)
  const console = () => cluster.consoleOf(node)
  const patient = { timeout: 120_000, interval: 2_000 }
  await expect.poll(console, patient).toMatch(/kubelet client certificate .* has expired/)
  await expect.poll(console, patient).toMatch(/service\[etcd\]\(Running\): Health check failed/)
  expect(await knock(address, credentials)).toContain('alert certificate expired')

  await hands.deleteServers([node])
  const typed = await hands.type('authorities-ended', [
    ['Type the name of the cluster to restore it: ', 'demo'],
  ])
  expect(typed.code, typed.shown).toBe(0)
  expect(typed.shown).toContain('issued once more over the same keys')
  await hands.expectHealthy()
  expect(await hands.kept('before-the-snapshot')).toBe(true)
  expect(await hands.kept('after-the-snapshot')).toBe(false)
})

it('destroy leaves nothing behind', async () => {
  await cluster.succeed('destroy', '--confirm', 'demo')
  expectNothingLeft(cluster)
})
