import { afterAll, beforeAll, expect, it } from 'vitest'
import { mintAccess } from '../../src/commands/access/mint-access.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import type { KubernetesClient } from '../../src/kubernetes/kubernetes-client.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { waitFor } from '../../src/lib/wait-for.ts'
import { renderPlanJson } from '../../src/plan/render-json.ts'
import { connectKubernetes } from '../kubernetes/connect-kubernetes.ts'
import { byHand } from './by-hand.ts'
import { clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { exposeService } from './workloads.ts'
import { expectTidy, stateHistory } from './world-facts.ts'

const file = clusterFile({ workers: 1 })

// A cluster with Hetzner's cloud controller, and somebody who may write Services.
let bench: Bench
let kubernetes: KubernetesClient
let api: number

beforeAll(async () => {
  bench = await startBench()
  const { world } = bench.sandbox
  await applyCluster(bench.run(), { file, keepRule: true })
  api = [...world.hetzner.loadBalancers.keys()][0] ?? 0
  const { kubeconfig } = await mintAccess(bench.run(), { file, hours: 1 })
  kubernetes = await connectKubernetes({
    kubeconfig,
    clock: world.clock,
    random: seededRandom(1),
  })
})

afterAll(async () => {
  kubernetes.close()
  await expectTidy(bench)
  await bench[Symbol.asyncDispose]()
})

function balancer() {
  const found = bench.sandbox.world.hetzner.loadBalancers.get(api)
  if (!found) throw new Error('the load balancer of the API is gone')
  return found
}

it('the name of the API’s load balancer stands at Hetzner alone', async () => {
  const { name } = balancer()
  expect(name).toMatch(/^demo-api-[0-9a-f]{32}$/)
  expect(await stateHistory(bench)).not.toContain(name.slice('demo-api-'.length))
  const { plan } = await planCluster(bench.run(), {
    file: clusterFile({ workers: 1 }, { loadBalancer: { type: 'lb21' } }),
    verb: 'apply',
  })
  expect(JSON.stringify(renderPlanJson(plan))).not.toContain(name)
})

it('a Service that names a load balancer as one could guess gets one of its own', async () => {
  const { world } = bench.sandbox
  const before = structuredClone(balancer())
  const names = ['demo', 'demo-api', 'demo-api-(random)']
  for (const [index, name] of names.entries()) {
    await exposeService(kubernetes, world, { service: `taker-${index}`, name })
  }
  await waitFor(
    'the controller',
    async () => {
      const count = world.hetzner.loadBalancers.size
      return count === names.length + 1 ? { done: undefined } : { pending: String(count) }
    },
    { clock: world.clock, everyMs: 1_000, withinMs: 600_000 },
  )
  expect(balancer()).toEqual(before)
  expect((await planCluster(bench.run(), { file, verb: 'apply' })).plan.changes).toEqual([])
})

it('one with the name of an older version is renamed while it serves', async () => {
  const { ipv4, services } = balancer()
  await byHand(bench, 'PUT', `/load_balancers/${api}`, { name: 'demo-old' })
  const { plan } = await applyCluster(bench.run(), { file })
  expect(plan.changes.map(({ action, key, risk }) => `${action} ${key} ${risk}`)).toEqual([
    'update load-balancer/demo live',
  ])
  expect(balancer()).toMatchObject({ ipv4, services })
  expect(balancer().name).toMatch(/^demo-api-[0-9a-f]{32}$/)
})
