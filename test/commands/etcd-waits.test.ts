import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { onlyEtcd } from './etcd-watch.ts'
import { type Bench, startBench } from './harness.ts'
import { listeningProgress } from './listening-progress.ts'

const controlPlanes = (count: number) => clusterFile({ controlPlanes: count, workers: 0 }, bare)

let bench: Bench

beforeAll(async () => {
  bench = await startBench()
  await applyCluster(bench.run(), { file: controlPlanes(1) })
})
afterAll(() => bench[Symbol.asyncDispose]())

/**
 * Applies, and lets etcd become unhealthy as soon as it has so many voters: the run must see it before it goes on to anything
 * else, its last look at the whole cluster included. Then etcd is healthy again.
 */
async function becomeUnhealthy(
  file: ReturnType<typeof controlPlanes>,
  voters: number,
): Promise<void> {
  const etcd = onlyEtcd(bench.sandbox.world)
  let isUnhealthy = false
  etcd.onChange(() => {
    const running = etcd.voters.filter(({ id }) => etcd.isStarted(id)).length
    if (isUnhealthy || running !== voters || etcd.members.size !== voters) return
    isUnhealthy = true
    etcd.outOfSpace = etcd.leader
  })
  const lines: string[] = []
  const progress = listeningProgress(lines)
  await expect(applyCluster(bench.run({ progress }), { file })).rejects.toMatchObject({
    code: 'etcd-unhealthy',
  })
  expect(isUnhealthy).toBe(true)
  expect(lines).toContain('Configure nodes')
  expect(lines).not.toContain('Check that the cluster is healthy')
  etcd.outOfSpace = undefined
}

const servers = () =>
  [...bench.sandbox.world.hetzner.servers.values()].map(({ name }) => name).sort()

it('nothing goes on after a member joined before etcd is healthy with it', async () => {
  await becomeUnhealthy(controlPlanes(3), 3)
  await applyCluster(bench.run(), { file: controlPlanes(3) })
})

it('no server goes after its member left before etcd is healthy without it', async () => {
  await becomeUnhealthy(controlPlanes(1), 1)
  // The second one to leave has left, and its server is still there.
  expect(servers()).toHaveLength(2)
  await applyCluster(bench.run(), { file: controlPlanes(1) })
  expect(servers()).toEqual(['demo-control-plane-1'])
})
