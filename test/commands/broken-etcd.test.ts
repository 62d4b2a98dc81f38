import { expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { startBench } from './harness.ts'
import { bootIds, runningConfig } from './node-hands.ts'

const broken = { cluster: { etcd: { extraArgs: { 'quota-backend-bytes': 'lots' } } } }

function file(controlPlanes: number, patches: (typeof broken)[] = []) {
  const talos = { version: 'v1.13.9', controlPlanePatches: patches }
  const more = { ...bare, talos, policy: { onFailedChange: 'stop' } }
  return clusterFile({ controlPlanes, workers: 0 }, more)
}

it.each([1, 3])(
  'a control plane whose own etcd was broken by its config, of %i, is repaired by the file that is right again',
  async (controlPlanes) => {
    await using bench = await startBench()
    await applyCluster(bench.run(), { file: file(controlPlanes) })
    await expect(
      applyCluster(bench.run(), { file: file(controlPlanes, [broken]) }),
    ).rejects.toMatchObject({ target: 'demo-control-plane-1' })
    const first = () => runningConfig(bench, 'demo-control-plane-1')
    expect(first()).toContain('lots')
    const boots = bootIds(bench)
    await applyCluster(bench.run(), { file: file(controlPlanes) })
    expect(first()).not.toContain('lots')
    const after = bootIds(bench)
    const rebooted = Object.keys(after).filter((name) => boots[name] !== after[name])
    expect(rebooted).toEqual(['demo-control-plane-1'])
    const { plan } = await planCluster(bench.run(), { file: file(controlPlanes), verb: 'apply' })
    expect(plan.changes).toEqual([])
  },
)
