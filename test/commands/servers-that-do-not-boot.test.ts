import { expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { listeningProgress } from './listening-progress.ts'
import { nodeNames } from './simulated-kubernetes.ts'
import { expectTidy } from './world-facts.ts'

const file = clusterFile({ workers: 1 }, bare)

/** Applies, and returns what was done to servers, and what was said of one of them. */
async function apply(bench: Bench, name: string) {
  const { world } = bench.sandbox
  const lines: string[] = []
  const failure = await applyCluster(bench.run({ progress: listeningProgress(lines) }), {
    file,
  }).then(
    () => undefined,
    (error: unknown) => error,
  )
  const count = (pattern: RegExp) =>
    world.requests.filter(({ method, path }) => pattern.test(`${method} ${path}`)).length
  const builders = 1
  return {
    failure,
    resets: count(/^POST \/servers\/\d+\/actions\/reset$/),
    creates: count(/^POST \/servers$/) - builders,
    reports: lines.filter((line) => line.startsWith(`${name}: it does not boot`)),
  }
}

it('a new server that does not boot is reset once', async () => {
  await using bench = await startBench()
  const name = 'demo-workers-1'
  bench.sandbox.world.faults.neverBoots(name)
  expect(await apply(bench, name)).toEqual({
    failure: undefined,
    resets: 1,
    creates: 2,
    reports: [`${name}: it does not boot, its server is reset`],
  })
  await expectTidy(bench)
})

it('one that does not boot after that is replaced, the first control plane too', async () => {
  await using bench = await startBench()
  const name = 'demo-control-plane-1'
  bench.sandbox.world.faults.neverBoots(name, 2)
  expect(await apply(bench, name)).toEqual({
    failure: undefined,
    resets: 1,
    creates: 3,
    reports: [
      `${name}: it does not boot, its server is reset`,
      `${name}: it does not boot after a reset either, its server is replaced`,
    ],
  })
  expect(nodeNames(bench.sandbox.world)).toHaveLength(2)
  await expectTidy(bench)
})

it('one that never boots ends the run, which says what it tried', async () => {
  await using bench = await startBench()
  const name = 'demo-workers-1'
  bench.sandbox.world.faults.neverBoots(name, 10)
  const { failure } = await apply(bench, name)
  expect(failure).toMatchObject({
    code: 'talos-unreachable',
    message: expect.stringMatching(
      /^demo-workers-1 \(127[.\d]+\) never answered on port 50000, although its server was reset once and then replaced$/,
    ),
  })
  bench.sandbox.world.faults.clear()
  await applyCluster(bench.run(), { file })
  expect(nodeNames(bench.sandbox.world)).toHaveLength(2)
  await expectTidy(bench)
})
