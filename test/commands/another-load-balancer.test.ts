import { expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { talosState } from '../../src/sandbox/talos/talos-state.ts'
import { byHand } from './by-hand.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { startBench } from './harness.ts'
import { expectTidy } from './world-facts.ts'

it('an address of the load balancer that no certificate names is said, with what puts it there', async () => {
  await using bench = await startBench()
  const open = { ...bare, loadBalancer: { privateOnly: false } }
  const file = clusterFile({ workers: 0 }, open)
  await applyCluster(bench.run(), { file })
  const findings = async (of = file) =>
    (await planCluster(bench.run(), { file: of, verb: 'apply' })).plan.findings
  expect(await findings()).toEqual([])
  const { loadBalancers } = bench.sandbox.world.hetzner
  const [former = 0] = loadBalancers.keys()
  await byHand(bench, 'DELETE', `/load_balancers/${former}`)
  while (loadBalancers.has(former)) await bench.sandbox.world.clock.sleep(1_000)
  await applyCluster(bench.run(), { file })
  const address = [...loadBalancers.values()][0]?.ipv4 ?? ''
  expect(await findings()).toMatchObject([
    { severity: 'warning', hint: `Add ${address} to kubernetes.certSans, and apply.` },
  ])
  const named = clusterFile(
    { workers: 0 },
    { ...open, kubernetes: { version: '1.36.3', certSans: [address] } },
  )
  await applyCluster(bench.run(), { file: named })
  expect(await findings(named)).toEqual([])
  const [node] = talosState(bench.sandbox.world).nodes
  expect(node?.config?.kubernetesSans).toContain(address)
  await expectTidy(bench)
})
