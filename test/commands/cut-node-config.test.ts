import { expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { cutOff } from './cut-off.ts'
import { cutPoints, cutTimeoutMs } from './cut-points.ts'
import { startBench } from './harness.ts'
import { editByHand, runningConfig } from './node-hands.ts'
import { expectTidy } from './world-facts.ts'

const node = 'demo-control-plane-1'

/** Each of them takes a reboot. */
function withRule(rule: string): ClusterFile {
  const patches = [{ machine: { udev: { rules: [rule] } } }]
  // Open, for the hand that changes a node.
  const firewall = { talosApi: ['0.0.0.0/0'] }
  return clusterFile({ workers: 0 }, { ...bare, firewall, talos: { version: 'v1.13.9', patches } })
}

it('an apply that heals and changes a node, and is killed at a request, goes on and reboots it once', {
  timeout: cutTimeoutMs,
}, async () => {
  await using bench = await startBench()
  const { world } = bench.sandbox
  await applyCluster(bench.run(), { file: withRule('rule-0') })
  let round = 0
  // It asks about forty times: the 25th stages the config, the 26th is the reboot, here with its answer lost too.
  for (const after of cutPoints([18, 25, 26, 26], 45)) {
    const former = withRule(`rule-${round}`)
    round++
    const file = withRule(`rule-${round}`)
    const label = (machine: object) => ({ ...machine, nodeLabels: { 'example.com/by': 'hand' } })
    await editByHand(bench, former, node, label)
    const from = world.requests.length
    const loseLast = round % 2 === 0
    await cutOff(bench, { after, loseLast }, (run) => applyCluster(run, { file }))
    await applyCluster(bench.run(), { file })
    const reboots = world.requests.slice(from).filter(({ method }) => method === 'Reboot')
    expect(reboots, `cut after ${after}`).toHaveLength(1)
    expect(runningConfig(bench, node)).toContain(`rule-${round}`)
    expect(runningConfig(bench, node)).not.toContain('example.com/by')
    expect((await applyCluster(bench.run(), { file })).plan.changes).toEqual([])
    await expectTidy(bench)
  }
})
