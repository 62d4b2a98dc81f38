import { expect, test } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { bare, clusterFile } from '../commands/cluster-files.ts'
import { startBench } from '../commands/harness.ts'

/** What was promised for a hundred nodes. */
const mostRequests = 15

test('a plan of a hundred nodes takes a handful of requests', async () => {
  await using bench = await startBench()
  const { world } = bench.sandbox
  const file = clusterFile({ controlPlanes: 3, workers: 97 })
  const { plan, requests } = await planCluster(bench.run(), { file, verb: 'apply' })
  expect(plan.changes.filter(({ after }) => after?.kind === 'server')).toHaveLength(100)
  // What is counted is Hetzner's share of the limit; the image factory is asked besides.
  expect(requests).toBe(world.requests.filter(({ front }) => front === 'hetzner').length)
  expect(requests).toBeLessThanOrEqual(mostRequests)
})

test('a plan of thirty nodes that exist takes no more, and asks neither them nor Kubernetes', async () => {
  await using bench = await startBench()
  const { world } = bench.sandbox
  const file = clusterFile({ controlPlanes: 3, workers: 27 }, bare)
  await applyCluster(bench.run(), { file })
  world.requests.length = 0
  const { plan } = await planCluster(bench.run(), { file, verb: 'apply' })
  expect(plan.changes).toEqual([])
  expect(new Set(world.requests.map(({ front }) => front))).toEqual(new Set(['hetzner']))
  expect(world.requests.length).toBeLessThanOrEqual(mostRequests)
  expect(world.contractErrors).toEqual([])
})
