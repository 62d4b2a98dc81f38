import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { startChild } from './child-run.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { expectTidy, holdings, newestCluster, refs } from './world-facts.ts'

const file = clusterFile({ workers: 0 }, bare)
const one = clusterFile({ workers: 1 }, bare)
const two = clusterFile({ workers: 2 }, bare)

let bench: Bench

beforeAll(async () => {
  bench = await startBench()
  await applyCluster(bench.run(), { file })
})

afterAll(() => bench[Symbol.asyncDispose]())

function rules(): string[] {
  return (
    holdings(bench.sandbox.world)['firewalls']?.filter((name) => name.includes('-access-')) ?? []
  )
}

it('a process that is killed leaves its lock and its rule; the next one proves its end and goes on', async () => {
  const { world } = bench.sandbox
  const killed = await startChild(bench, one, 'apply', '--yes')
  // The rule, the placement group, and then the server itself.
  world.afterMutation(3, () => void killed.process.kill('SIGKILL'))
  expect(await killed.ended).toMatchObject({ signal: 'SIGKILL' })
  expect(Object.keys(await refs(bench))).toContain('hcloud-talos-lock/demo')
  expect(rules()).toHaveLength(1)

  const next = await startChild(bench, one, 'apply', '--yes')
  const { exitCode, output } = await next.ended
  expect(output).toContain('took the lock over')
  expect(exitCode).toBe(0)
  await expectTidy(bench)
  expect(holdings(world)['servers']).toEqual(['demo-control-plane-1', 'demo-workers-1'])
  expect(newestCluster(world).bootstraps).toHaveLength(1)
  expect(await next.remains()).toEqual([])
})

it('a process that is interrupted shuts its rule, gives its lock back and says 130 in time', async () => {
  const { world } = bench.sandbox
  const child = await startChild(bench, two, 'apply', '--yes')
  let patience: NodeJS.Timeout | undefined
  world.afterMutation(4, () => {
    child.process.kill('SIGINT')
    // As GitHub does with a step that was cancelled and does not end.
    patience = setTimeout(() => child.process.kill('SIGKILL'), 7_000)
  })
  const { exitCode, output } = await child.ended
  clearTimeout(patience)
  expect(exitCode).toBe(130)
  expect(output).toContain('interrupted')
  await expectTidy(bench)
  expect(await child.remains()).toEqual([])
  await applyCluster(bench.run(), { file: two })
  expect(holdings(world)['servers']).toHaveLength(3)
})
