import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { fieldAt } from '../../src/lib/kubernetes-object.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { nodesOf } from './simulated-kubernetes.ts'
import { expectTidy } from './world-facts.ts'

// What the file says of how runs behave, at one cluster whose firewall lets this machine in.
const firewall = {
  talosApi: ['127.0.0.0/8'],
  kubernetesApi: ['127.0.0.0/8'],
  runnerAccess: false,
}

function file(more: JsonObject = {}): ClusterFile {
  return clusterFile({ workers: 4 }, { ...bare, firewall, ...more })
}

let bench: Bench
beforeAll(async () => {
  bench = await startBench()
})
afterAll(async () => {
  await expectTidy(bench)
  await bench[Symbol.asyncDispose]()
})

it('firewall.runnerAccess: with false no run opens the firewall for itself', async () => {
  const { world } = bench.sandbox
  const seen = new Set<string>()
  world.onRequest(() => {
    for (const { name } of world.hetzner.firewalls.values()) seen.add(name)
  })
  await applyCluster(bench.run(), { file: file() })
  expect([...seen]).toEqual(['demo'])
  const { runnerAccess: _, ...open } = firewall
  await applyCluster(bench.run(), { file: file({ firewall: open, cni: { type: 'none' } }) })
  expect([...seen].filter((name) => name.startsWith('demo-access-'))).toHaveLength(1)
})

it('upgrade.maxUnavailable: as many nodes are out of service at a time, and no more', async () => {
  const { world } = bench.sandbox
  let most = 0
  world.onRequest(() => {
    const out = nodesOf(world).filter((node) => fieldAt(node, 'spec', 'unschedulable') === true)
    most = Math.max(most, out.length)
  })
  const workerPatches = [{ machine: { udev: { rules: ['A'] } } }]
  const { plan } = await applyCluster(bench.run(), {
    file: file({ talos: { version: 'v1.13.9', workerPatches }, upgrade: { maxUnavailable: 2 } }),
  })
  expect(plan.changes.map(({ risk }) => risk)).toEqual(Array(4).fill('reboot'))
  expect(most).toBe(2)
})

it('state.branch: on another branch nothing is known of a cluster', async () => {
  const elsewhere = file({ state: { branch: 'clusters' } })
  await expect(planCluster(bench.run(), { file: elsewhere, verb: 'apply' })).rejects.toMatchObject({
    code: 'state-missing',
    message: expect.stringContaining('the branch clusters knows nothing of it'),
  })
})
