import { expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import type { KubeObject } from '../../src/sandbox/kubernetes/model/kube-object.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { startBench } from './harness.ts'
import { runningConfig } from './node-hands.ts'
import { kubernetesOf } from './simulated-kubernetes.ts'

const [first, second] = ['demo-workers-1', 'demo-workers-2'] as const
const { addons = {} } = bare

function file(args: JsonObject) {
  const workerPatches = [{ machine: { kubelet: { extraArgs: args } } }]
  return clusterFile({ workers: 2 }, { addons, talos: { version: 'v1.13.9', workerPatches } })
}

it('after a restart of the kubelet the agent of the network is Ready before the next node changes', async () => {
  await using bench = await startBench()
  const { world } = bench.sandbox
  await applyCluster(bench.run(), { file: file({}) })
  const { store } = kubernetesOf(world).context
  const isAgent = ({ metadata: { name }, ...pod }: KubeObject) =>
    /^cilium-[a-z0-9]{5}$/.test(name) && JSON.stringify(pod).includes(`"nodeName":"${first}"`)
  const setReady = (status: 'True' | 'False') => {
    for (const pod of store.list('pods', 'kube-system').filter(isAgent)) {
      const conditions = [{ type: 'Ready', status }]
      store.put('pods', { ...pod, status: { ...Object(pod['status']), conditions } })
    }
  }
  const has = (name: string) => runningConfig(bench, name).includes('max-open-files')
  let [isAway, isEarly, fell] = [false, false, false]
  world.onRequest(() => {
    if (isAway && has(second)) isEarly = true
    // Its kubelet says now and then how it really is.
    if (isAway) setReady('False')
    if (fell || !has(first)) return
    fell = true
    isAway = true
    setReady('False')
    void world.clock.sleep(2 * 60_000).then(() => {
      isAway = false
      setReady('True')
    })
  })
  await applyCluster(bench.run(), { file: file({ 'max-open-files': '500000' }) })
  expect({ fell, isEarly, isAway }).toEqual({ fell: true, isEarly: false, isAway: false })
  expect(has(second)).toBe(true)
})
