import { describe, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { startBench } from './harness.ts'
import { changesDuring, expectTidy } from './world-facts.ts'

const changed: readonly { what: string; more: JsonObject; path: string[]; message: string }[] = [
  {
    what: 'the range of pods',
    more: { network: { podRange: '10.0.160.0/19' } },
    path: ['network', 'podRange'],
    message:
      'network.podRange of the running cluster demo is 10.0.128.0/17 and cannot become 10.0.160.0/19: each node keeps the part',
  },
  {
    what: 'the range of Services',
    more: { network: { serviceRange: '172.20.0.0/16' } },
    path: ['network', 'serviceRange'],
    message:
      'network.serviceRange of the running cluster demo is 10.0.96.0/19 and cannot become 172.20.0.0/16: Services keep',
  },
  {
    what: 'the domain',
    more: { network: { dnsDomain: 'example.internal' } },
    path: ['network', 'dnsDomain'],
    message:
      'network.dnsDomain of the running cluster demo is cluster.local and cannot become example.internal: pods that run',
  },
  {
    what: 'the network of Talos, by a patch',
    more: {
      talos: { version: 'v1.13.9', patches: ['cluster: {network: {cni: {name: flannel}}}'] },
    },
    path: ['cni', 'type'],
    message:
      'the network that Talos brings (cluster.network.cni) of the running cluster demo is none and cannot become flannel: two networks',
  },
]

describe.each(['secrets', 'all'] as const)('with state.encrypt: %s', (encrypt) => {
  it('what a cluster is born with is refused as soon as it runs', async () => {
    await using bench = await startBench()
    const state = { encrypt }
    const born = clusterFile({ workers: 0 }, { ...bare, state })
    await applyCluster(bench.run(), { file: born })
    for (const { what, more, path, message } of changed) {
      const file = clusterFile({ workers: 0 }, { ...bare, state, ...more })
      const { plan } = await planCluster(bench.run(), { file, verb: 'apply' })
      const errors = plan.findings.filter(({ severity }) => severity === 'error')
      expect(errors, what).toMatchObject([
        { path, message: expect.stringContaining(message), position: expect.anything() },
      ])
      expect(errors[0]?.hint).toMatch(/^Keep /)
      const upgrade = await planCluster(bench.run(), { file, verb: 'upgrade' })
      expect(upgrade.plan.findings, what).toContainEqual(expect.objectContaining({ path }))
      const changes = await changesDuring(bench.sandbox.world, () =>
        expect(applyCluster(bench.run(), { file }), what).rejects.toMatchObject({
          code: 'plan-refused',
        }),
      )
      expect(changes).toEqual([])
    }
    const { plan } = await planCluster(bench.run(), { file: born, verb: 'apply' })
    expect(plan).toMatchObject({ changes: [], findings: [] })
    await expectTidy(bench)
  })
})

it('they are free until the cluster runs', async () => {
  await using bench = await startBench()
  const network = { network: { podRange: '10.0.160.0/19', dnsDomain: 'example.internal' } }
  const file = clusterFile({ workers: 0 }, { ...bare, ...network })
  const stage = 'infra'
  await applyCluster(bench.run(), { file: clusterFile({ workers: 0 }, bare), stage })
  await applyCluster(bench.run(), { file })
  const { plan } = await planCluster(bench.run(), { file, verb: 'apply' })
  expect(plan).toMatchObject({ changes: [], findings: [] })
})

it('servers that are all replaced do not change them either', async () => {
  await using bench = await startBench()
  await applyCluster(bench.run(), { file: clusterFile({ controlPlanes: 3, workers: 0 }, bare) })
  const file = clusterFile(
    { controlPlanes: 3, workers: 0 },
    {
      ...bare,
      network: { podRange: '10.0.160.0/19' },
      nodes: { controlPlane: { count: 3, type: 'cx33' }, workers: [] },
    },
  )
  const { plan } = await planCluster(bench.run(), { file, verb: 'apply' })
  expect(plan.findings).toContainEqual(
    expect.objectContaining({ severity: 'error', path: ['network', 'podRange'] }),
  )
})
