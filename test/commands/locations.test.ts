import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { expectTidy, inventoryOf } from './world-facts.ts'

let bench: Bench
beforeAll(async () => {
  bench = await startBench()
})
afterAll(() => bench[Symbol.asyncDispose]())

function fileAt(...locations: string[]) {
  const file = clusterFile({ workers: 0, controlPlanes: 3 }, bare)
  const spec = JSON.parse(file.text)
  spec.nodes.controlPlane.locations = locations
  return { ...file, text: JSON.stringify(spec) }
}

const isAboutPlaces = (note: string) => note.startsWith('locations of')

function places(): string[] {
  return [...bench.sandbox.world.hetzner.servers.values()]
    .map(({ name, location }) => `${name.slice(-1)} ${location}`)
    .sort()
}

it('control planes that stood together are spread, one replacement after the other', async () => {
  const together = fileAt('fsn1')
  await applyCluster(bench.run(), { file: together })
  expect(places()).toEqual(['1 fsn1', '2 fsn1', '3 fsn1'])

  const spread = fileAt('fsn1', 'nbg1', 'hel1')
  const noted = await planCluster(bench.run(), { file: spread, verb: 'apply' })
  expect(noted.plan.changes).toEqual([])
  expect(noted.plan.notes.filter(isAboutPlaces)).toEqual([
    'locations of control-plane: demo-control-plane-2 is in fsn1 instead of nbg1, demo-control-plane-3 is in fsn1 instead of hel1. A server moves only when it is replaced, by `hcloud-talos apply --replace demo-control-plane-2`',
  ])

  const replace = ['demo-control-plane-2']
  const planned = await planCluster(bench.run(), { file: spread, verb: 'apply', replace })
  const change = planned.plan.changes.find(({ key }) => key === 'server/demo-control-plane-2')
  expect(change).toMatchObject({ action: 'replace', after: { spec: { location: 'nbg1' } } })
  await applyCluster(bench.run(), { file: spread, replace })
  expect(places()).toEqual(['1 fsn1', '2 nbg1', '3 fsn1'])
  const { nodes } = await inventoryOf(bench)
  expect(nodes.map(({ location }) => location).sort()).toEqual(['fsn1', 'fsn1', 'nbg1'])

  // It stays there, and only what is left is noted.
  const after = await planCluster(bench.run(), { file: spread, verb: 'apply' })
  expect(after.plan.changes).toEqual([])
  expect(after.plan.notes.filter(isAboutPlaces)).toEqual([
    expect.not.stringContaining('demo-control-plane-2 is'),
  ])
  await expectTidy(bench)
})
