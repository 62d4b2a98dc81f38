import { expect, test } from 'vitest'
import { textAt } from '../../../src/sandbox/kubernetes/model/read-json.ts'
import { node, startCluster } from './sim-cluster.ts'

const pods = '/api/v1/namespaces/default/pods'
const key = 'default/risen'

// As a real kubelet does: the life of one real control plane restores such a pod.
test('a pod that a restore brings back ends only when its kubelet has restarted', async () => {
  const { sim, call, until, get, world } = await startCluster()
  sim.registerNode(node('w-1', 1), new Set())
  const body = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'risen' },
    spec: { nodeName: 'w-1', hostNetwork: true, containers: [{ name: 'a', image: 'a:1' }] },
  }
  expect((await call('POST', pods, { body })).status).toBe(201)
  await until((look) => textAt(look('pods', key), 'status', 'phase') === 'Running')
  const before = get('pods', key)
  if (before === undefined) throw new Error('there is no pod')
  await call('DELETE', `${pods}/risen`)
  await until((look) => look('pods', key) === undefined)

  sim.context.store.put('pods', before)
  await call('DELETE', `${pods}/risen`)
  await world.clock.sleep(120_000)
  expect(get('pods', key)).toHaveProperty('metadata.deletionTimestamp')

  sim.registerNode(node('w-1', 1), new Set())
  await until((look) => look('pods', key) === undefined)
})
