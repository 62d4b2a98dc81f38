import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import type { Etcd } from '../../src/sandbox/talos/etcd.ts'
import { talosState } from '../../src/sandbox/talos/talos-state.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { examine, findings } from './doctors-eye.ts'
import { type Bench, startBench } from './harness.ts'
import { newestCluster } from './world-facts.ts'

// A machine from which not every control plane is seen: what it does not see is neither healthy nor broken.
const firewall = { talosApi: ['127.0.0.0/8'], kubernetesApi: ['127.0.0.0/8'] }
const file = clusterFile(
  { controlPlanes: 3, workers: 0 },
  { ...bare, firewall, loadBalancer: { privateOnly: false } },
)
const second = 'demo-control-plane-2'
const third = 'demo-control-plane-3'

let bench: Bench
let etcd: Etcd
beforeAll(async () => {
  bench = await startBench()
  await applyCluster(bench.run(), { file })
  const [found] = newestCluster(bench.sandbox.world).etcds.values()
  if (!found) throw new Error('there is no etcd')
  etcd = found
})
beforeEach(async () => {
  expect(await findings(bench, file)).toEqual([])
})
afterAll(() => bench[Symbol.asyncDispose]())

const look = async (area: string) =>
  (await findings(bench, file)).filter((line) => line.includes(` ${area}: `))

/** The id of a member by the name of its control plane. */
function memberOf(name: string): bigint {
  const member = etcd.voters.find(({ hostname }) => hostname === name)
  if (!member) throw new Error(`${name} is no member`)
  return member.id
}

it('a member that does not answer is named by the list of the others', async () => {
  const { faults } = talosState(bench.sandbox.world)
  faults.hang(second)
  etcd.outOfSpace = memberOf(second)
  expect(await look('etcd')).toEqual([
    expect.stringContaining(`bad etcd: etcd raises an alarm: ${second} is out of space`),
  ])
  etcd.outOfSpace = undefined
  faults.release(second)
})

it('a leader that nobody sees is no lost quorum while other control planes were not heard', async () => {
  const { faults } = talosState(bench.sandbox.world)
  const names = [second, third]
  const ids = names.map((name) => ({ name, id: memberOf(name) }))
  for (const { id } of ids) etcd.stop(id)
  expect(await look('etcd')).toEqual([expect.stringMatching(/^bad etcd: etcd has no quorum: 3 of/)])
  for (const name of names) faults.hang(name)
  expect(await look('etcd')).toEqual([
    expect.stringMatching(
      /^unknown etcd: the quorum of etcd was not looked at: .*firewall\.talosApi/,
    ),
    'bad etcd: the etcd of demo-control-plane-1 sees no leader → hcloud-talos talos etcd status',
  ])
  for (const name of names) faults.release(name)
  for (const { name, id } of ids) etcd.start(id, name)
})

it('API servers that only the load balancer reaches were not looked at', async () => {
  const { firewalls } = bench.sandbox.world.hetzner
  const former = [...firewalls.values()].map(({ rules }) => ({ rules, all: [...rules] }))
  for (const { rules, all } of former) {
    rules.splice(0, rules.length, ...all.filter(({ port }) => port !== '6443'))
  }
  expect(await look('kubernetes')).toEqual([
    expect.stringMatching(
      /^unknown kubernetes: the API servers of demo-control-plane-1, demo-control-plane-2, demo-control-plane-3 were reached through the load balancer only, .*firewall\.kubernetesApi/,
    ),
  ])
  for (const { rules, all } of former) rules.splice(0, rules.length, ...all)
  expect(await examine(bench, file)).toContainEqual(
    expect.objectContaining({
      area: 'kubernetes',
      message: expect.stringMatching(/^3 API servers/),
    }),
  )
})
