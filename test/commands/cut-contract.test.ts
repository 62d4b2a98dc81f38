import { expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { cutOff } from './cut-off.ts'
import { cutPoints, cutTimeoutMs } from './cut-points.ts'
import { startBench } from './harness.ts'
import { runningConfig } from './node-hands.ts'
import { expectTidy, inventoryOf } from './world-facts.ts'

const nodes = ['demo-control-plane-1', 'demo-workers-1']
const fileOf = (contract?: string) =>
  clusterFile(
    {},
    {
      ...bare,
      talos: { version: 'v1.13.9', ...(contract === undefined ? {} : { contract }) },
    },
  )

/** In both directions; a file that names none agrees with either afterwards. */
it('a move of the contract that is killed at a request is gone on with, and ends on every node', {
  timeout: cutTimeoutMs,
}, async () => {
  await using bench = await startBench()
  await applyCluster(bench.run(), { file: fileOf('v1.11') })
  const shapes = () =>
    nodes.map((name) => runningConfig(bench, name).includes('kind: HostnameConfig'))
  let round = 0
  // The control plane moves at about the sixtieth request, the worker ten later.
  for (const after of cutPoints([30, 61, 64, 69, 78], 110)) {
    round++
    const contract = round % 2 === 1 ? 'v1.12' : 'v1.11'
    await cutOff(bench, { after, loseLast: round % 3 === 0 }, (run) =>
      applyCluster(run, { file: fileOf(contract) }),
    )
    await applyCluster(bench.run(), { file: fileOf(contract) })
    expect(shapes(), `cut after ${after}`).toEqual(nodes.map(() => contract === 'v1.12'))
    const { contract: ofCluster, nodes: known } = await inventoryOf(bench)
    expect([ofCluster, ...known.map((node) => node.contract)]).toEqual([
      contract,
      contract,
      contract,
    ])
    const silent = await planCluster(bench.run(), { file: fileOf(), verb: 'apply' })
    expect(silent.plan).toMatchObject({ changes: [], findings: [] })
    await expectTidy(bench)
  }
})
