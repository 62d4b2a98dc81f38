import { expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { closeRun } from '../../src/commands/cluster/close-run.ts'
import type { HeldByRun } from '../../src/run/held-by-run.ts'
import type { RunContext } from '../../src/run/run-context.ts'
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

/** A run that was killed at work, and what it had noted until then. */
async function killedRun(bench: Bench): Promise<{ killed: RunContext; held: HeldByRun }> {
  let killed = bench.run()
  let held: HeldByRun = { clusterName: 'none' }
  await cutOff(bench, { after: 40 }, (context) => {
    killed = { ...bench.run(), run: context.run }
    const onHold = (more: HeldByRun) => {
      held = { ...held, ...more }
    }
    return applyCluster({ ...context, onHold }, { file: larger })
  })
  return { killed, held }
}

it('what a run wrote before it was killed is anchored by the step after it, and its lock given back', async () => {
  await using bench = await startBench()
  await applyCluster(bench.run(), { file })
  const { killed, held } = await killedRun(bench)
  const left = await generations(bench)
  expect(left.written).toBeGreaterThan(left.anchored)
  expect(Object.keys(await refs(bench))).toContain('hcloud-talos-lock/demo')

  await closeRun(killed, held)
  const { written, anchored } = await generations(bench)
  expect(anchored).toBe(written)
  await expectTidy(bench)
})

it('does not anchor what nobody vouches for', async () => {
  await using bench = await startBench()
  await applyCluster(bench.run(), { file })
  const { killed, held } = await killedRun(bench)
  const before = await generations(bench)
  const { state } = killed
  await closeRun({ ...killed, state: { ...state, identity: undefined } }, held)
  expect((await generations(bench)).anchored).toBe(before.anchored)
})

it('an opening in the firewall is closed by the uid that the run noted, with no cluster file', async () => {
  await using bench = await startBench()
  await applyCluster(bench.run(), { file })
  const context = bench.run()
  const notes: HeldByRun[] = []
  const onHold = (held: HeldByRun) => notes.push(held)
  await applyCluster({ ...context, onHold }, { file: larger, keepRule: true })
  const firewalls = () =>
    [...bench.sandbox.world.hetzner.firewalls.values()].map(({ name }) => name)
  expect(firewalls()).toContain(`demo-access-${context.run.id}`)
  const [lock, rule] = notes
  expect(lock).toEqual({
    clusterName: 'demo',
    mode: 'hetzner-talos',
    state: expect.objectContaining({ branch: 'hcloud-talos' }),
  })
  expect(rule).toEqual({
    clusterName: 'demo',
    mode: 'hetzner-talos',
    uid: expect.stringMatching(/^[0-9a-f]{16}$/),
  })
  await closeRun(context, { clusterName: 'demo', mode: rule?.mode, uid: rule?.uid })
  expect(firewalls()).toEqual(['demo'])
})
