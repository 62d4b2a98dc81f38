import { expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { destroyCluster } from '../../src/commands/cluster/destroy-cluster.ts'
import { isClusterError } from '../../src/lib/cluster-error.ts'
import type { RunContext } from '../../src/run/run-context.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { cutOff } from './cut-off.ts'
import { cutPoints, cutTimeoutMs } from './cut-points.ts'
import { type Bench, startBench } from './harness.ts'
import {
  expectLabelled,
  expectTidy,
  holdings,
  inventoryOf,
  leftovers,
  newestCluster,
  talosClusters,
} from './world-facts.ts'

const file = clusterFile({}, bare)
const apply = (context: RunContext) => applyCluster(context, { file })
const destroy = (context: RunContext) =>
  destroyCluster(context, { file, confirm: async () => true })

const whole = {
  servers: ['demo-control-plane-1', 'demo-workers-1'],
  networks: ['demo'],
  firewalls: ['demo'],
  placementGroups: ['demo-control-plane-1', 'demo-workers-1'],
  loadBalancers: ['demo-api-(random)'],
  sshKeys: ['demo'],
}

// An apply from nothing asks about a hundred times, a destroy about half as often.
const timeout = cutTimeoutMs

it('an apply and a destroy that are killed at a request go on and converge', { timeout }, () =>
  liveAndDieAt(cutPoints([6, 31, 52, 88], 110), false),
)

it('the same where that request had its effect and its answer was lost', { timeout }, () =>
  liveAndDieAt(cutPoints([16, 43, 64, 97], 110), true),
)

async function liveAndDieAt(cuts: readonly number[], loseLast: boolean): Promise<void> {
  await using bench = await startBench()
  for (const after of cuts) {
    try {
      await liveAndDie(bench, { after, loseLast })
    } catch (error) {
      throw new Error(`after request ${after}: ${String(error)}`, { cause: error })
    }
  }
}

async function liveAndDie(bench: Bench, cut: { after: number; loseLast: boolean }): Promise<void> {
  const { world } = bench.sandbox
  forgetSnapshots(bench)
  const before = talosClusters(world).length

  await cutOff(bench, cut, apply)
  const { applied } = await apply(bench.run())
  expect(applied).toBe(true)
  expect(holdings(world)).toMatchObject(whole)
  expect(holdings(world)['snapshots']).toHaveLength(1)
  expectLabelled(world, await inventoryOf(bench))
  await expectTidy(bench)
  expect(talosClusters(world)).toHaveLength(before + 1)
  expect(newestCluster(world).bootstraps).toHaveLength(1)

  await cutOff(bench, { ...cut, after: Math.ceil(cut.after / 2) }, destroy)
  // Cut off at its very end, it has nothing left to find.
  await destroy(bench.run()).catch((error: unknown) => {
    if (!isClusterError(error, 'cluster-unknown')) throw error
  })
  expect(leftovers(world)).toEqual({})
  await expectTidy(bench)
}

function forgetSnapshots({ sandbox: { world } }: Bench): void {
  for (const { id, type } of world.hetzner.images.values()) {
    if (type === 'snapshot') world.hetzner.images.delete(id)
  }
}
