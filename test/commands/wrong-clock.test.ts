import { expect, test } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { requireClock } from '../../src/run/hetzner-talos/require-clock.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { startBench } from './harness.ts'
import { refs } from './world-facts.ts'

const file = clusterFile({ workers: 0 }, bare)
const hour = 3_600_000

test('an apply with a clock that is hours off makes nothing, and the right clock finds nothing in its way', async () => {
  await using bench = await startBench()
  const { world } = bench.sandbox
  for (const [hours, words] of [
    [3, '180 min ahead of Hetzner'],
    [-3, '180 min behind Hetzner'],
  ] as const) {
    const calendar = { ...world.calendar, now: () => world.calendar.now() + hours * hour }
    await expect(applyCluster(bench.run({ calendar }), { file })).rejects.toMatchObject({
      code: 'clock-wrong',
      message: expect.stringContaining(words),
    })
  }
  const { servers, networks, firewalls } = world.hetzner
  expect([servers.size, networks.size, firewalls.size]).toEqual([0, 0, 0])
  expect(await refs(bench)).toEqual({})
  const { plan } = await planCluster(bench.run(), { file, verb: 'apply' })
  expect(plan.findings).toEqual([])
})

test('what is a few minutes is let pass, and nothing is known before Hetzner has answered', () => {
  const at = (now: number) => ({ calendar: { now: () => now, sleep: async () => undefined } })
  const minute = 60_000
  for (const skew of [-5, -1, 0, 5]) requireClock(at(skew * minute), { serverTime: 0 })
  expect(() => requireClock(at(5.1 * minute), { serverTime: 0 })).toThrow('5 min ahead')
  expect(() => requireClock(at(-5.1 * minute), { serverTime: 0 })).toThrow('5 min behind')
  requireClock(at(1_000 * minute), { serverTime: undefined })
})
