import { expect, it } from 'vitest'
import { mintAccess } from '../../src/commands/access/mint-access.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { listNodes } from '../../src/kubernetes/nodes.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { connectKubernetes } from '../kubernetes/connect-kubernetes.ts'
import { clusterFile } from './cluster-files.ts'
import { startBench } from './harness.ts'
import { changesDuring, expectTidy, refs } from './world-facts.ts'

const file = clusterFile()

it('the plan of a pull request is what the apply does, and its cluster works', async () => {
  await using bench = await startBench()
  const { world, endpoints } = bench.sandbox

  // A pull request has a token that can only read, and no identity; it leaves no trace.
  const { hcloud } = endpoints
  const pullRequest = bench.run({ hetznerToken: hcloud.readOnlyToken })
  const reader = { ...pullRequest, state: { ...pullRequest.state, identity: undefined } }
  const planned = await planCluster(reader, { file, verb: 'apply' })
  expect(await refs(bench)).toEqual({})

  const { plan } = await applyCluster(bench.run(), { file, keepRule: true })
  expect(plan.digest).toBe(planned.plan.digest)

  const { kubeconfig } = await mintAccess(bench.run(), { file, hours: 1 })
  const { clock } = world
  const client = await connectKubernetes({ kubeconfig, clock, random: seededRandom(1) })
  const nodes = await listNodes(client)
  client.close()
  const known = nodes.map(({ name, ready, providerId }) => ({ name, ready, providerId }))
  const ids = new Map([...world.hetzner.servers.values()].map(({ id, name }) => [name, id]))
  expect(known).toEqual(
    ['demo-control-plane-1', 'demo-workers-1'].map((name) => ({
      name,
      ready: true,
      providerId: `hcloud://${ids.get(name)}`,
    })),
  )

  // The next pull request that changes nothing says so, still without the identity.
  expect((await planCluster(reader, { file, verb: 'apply' })).plan.changes).toEqual([])
  expect(await changesDuring(world, () => applyCluster(bench.run(), { file }))).toEqual([])
  await expectTidy(bench)
})
