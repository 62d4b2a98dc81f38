import { expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/apply-cluster.ts'
import { closeRun } from '../../src/commands/close-run.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { cutOff } from './cut-off.ts'
import { type Bench, startBench } from './harness.ts'
import { expectTidy, refs, stateFiles } from './world-facts.ts'

const file = clusterFile({ workers: 0 }, bare)
const larger = clusterFile({ workers: 1 }, bare)

/** The generation that stands on the branch, and the one that Hetzner remembers. */
async function generations({ sandbox, ...bench }: Bench) {
  const files = await stateFiles({ sandbox, ...bench })
  const firewall = [...sandbox.world.hetzner.firewalls.values()].find(({ name }) => name === 'demo')
  const written: number = JSON.parse(files['demo/manifest.json'] ?? '{}').generation
  return { written, anchored: Number(firewall?.labels['generation']) }
}

it('what a run wrote before it was killed is anchored by the step after it, and its lock given back', async () => {
  await using bench = await startBench()
  await applyCluster(bench.run(), { file })
  let killed = bench.run()
  await cutOff(bench, { after: 40 }, (context) => {
    killed = { ...bench.run(), run: context.run }
    return applyCluster(context, { file: larger })
  })
  const left = await generations(bench)
  expect(left.written).toBeGreaterThan(left.anchored)
  expect(Object.keys(await refs(bench))).toContain('hcloud-talos-lock/demo')

  await closeRun(killed, larger)
  const { written, anchored } = await generations(bench)
  expect(anchored).toBe(written)
  await expectTidy(bench)
})

it('does not anchor what nobody vouches for', async () => {
  await using bench = await startBench()
  await applyCluster(bench.run(), { file })
  let killed = bench.run()
  await cutOff(bench, { after: 40 }, (context) => {
    killed = { ...bench.run(), run: context.run }
    return applyCluster(context, { file: larger })
  })
  const before = await generations(bench)
  const { state } = killed
  await closeRun({ ...killed, state: { ...state, identity: undefined } }, larger)
  expect((await generations(bench)).anchored).toBe(before.anchored)
})
