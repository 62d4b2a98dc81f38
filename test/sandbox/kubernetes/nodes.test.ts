import { describe, expect, test } from 'vitest'
import { objectsAt, textAt } from '../../../src/sandbox/kubernetes/model/read-json.ts'
import { cilium, cloudController, deployment, hcloudSecret } from './sample-objects.ts'
import { type Lookup, node, type SimCluster, startCluster } from './sim-cluster.ts'

const system = '/apis/apps/v1/namespaces/kube-system'

function condition(get: Lookup, name: string, type = 'Ready') {
  return objectsAt(get('nodes', name), 'status', 'conditions').find(
    (one) => textAt(one, 'type') === type,
  )
}

function isReady(get: Lookup, name: string): boolean {
  return textAt(condition(get, name), 'status') === 'True'
}

function taints(get: Lookup, name: string): string[] {
  return objectsAt(get('nodes', name), 'spec', 'taints').map(
    (taint) => `${textAt(taint, 'key')}:${textAt(taint, 'effect')}`,
  )
}

async function bringUp(cluster: SimCluster, ...names: string[]): Promise<void> {
  for (const [index, name] of names.entries()) cluster.sim.registerNode(node(name, index + 1))
  await cluster.apply(`${system}/daemonsets/cilium`, 'us', cilium)
  await cluster.until((get) => names.every((name) => isReady(get, name)))
}

describe('a node', () => {
  test('waits for the pod network, and says so', async () => {
    const cluster = await startCluster()
    const { sim, until, get } = cluster
    sim.registerNode(node('w-1', 1, { labels: { pool: 'workers' } }))
    await until((look) => taints(look, 'w-1').includes('node.kubernetes.io/not-ready:NoExecute'))
    expect(condition(get, 'w-1')).toMatchObject({
      status: 'False',
      reason: 'KubeletNotReady',
      message: expect.stringContaining('cni plugin not initialized'),
    })
    expect(get('nodes', 'w-1')).toMatchObject({
      metadata: { labels: { pool: 'workers', 'kubernetes.io/hostname': 'w-1' } },
      spec: { podCIDR: '10.244.0.0/24' },
      status: { nodeInfo: { bootID: 'boot-1', osImage: 'Talos (v1.9.0)' } },
    })
    expect(sim.nodeReady('w-1')).toBe(false)
    await bringUp(cluster, 'w-1')
    await until((look) => !taints(look, 'w-1').some((taint) => taint.includes('not-ready')))
    expect(taints(get, 'w-1')).toEqual([
      'node.cloudprovider.kubernetes.io/uninitialized:NoSchedule',
    ])
    expect(sim.nodeReady('w-1')).toBe(true)
  })

  test('has its lease, its CSINode, and as control plane its static pods', async () => {
    const { sim, get } = await startCluster()
    sim.registerNode(node('cp-1', 1, { roleControlPlane: true }))
    expect(get('leases.coordination.k8s.io', 'kube-node-lease/cp-1')).toBeDefined()
    expect(get('csinodes.storage.k8s.io', 'cp-1')).toMatchObject({ spec: { drivers: [] } })
    expect(get('pods', 'kube-system/kube-apiserver-cp-1')).toMatchObject({
      metadata: { annotations: { 'kubernetes.io/config.mirror': 'kube-apiserver' } },
      status: { phase: 'Running' },
    })
  })

  test('is registered again without losing what others gave it', async () => {
    const cluster = await startCluster()
    await bringUp(cluster, 'w-1')
    const merge = { contentType: 'application/merge-patch+json' }
    const body = { metadata: { labels: { theirs: '1' } }, spec: { unschedulable: true } }
    await cluster.call('PATCH', '/api/v1/nodes/w-1', { body, ...merge })
    cluster.sim.registerNode(node('w-1', 1, { osImage: 'Talos (v1.10.0)', labels: { ours: '2' } }))
    expect(cluster.get('nodes', 'w-1')).toMatchObject({
      metadata: { labels: { theirs: '1', ours: '2' } },
      spec: { unschedulable: true },
      status: { nodeInfo: { osImage: 'Talos (v1.10.0)' } },
    })
    expect(isReady(cluster.get, 'w-1')).toBe(true)
  })

  test('starts its pods again after a boot, and is Ready when the network runs again', async () => {
    const cluster = await startCluster()
    await bringUp(cluster, 'w-1')
    cluster.sim.registerNode(node('w-1', 1, { bootId: 'another' }))
    expect(isReady(cluster.get, 'w-1')).toBe(false)
    await cluster.until((get) => isReady(get, 'w-1'))
    const restarts = cluster.sim.context.store
      .list('pods', 'kube-system')
      .filter((pod) => pod.metadata.name.startsWith('cilium'))
      .map((pod) => objectsAt(pod, 'status', 'containerStatuses')[0]?.['restartCount'])
    expect(restarts).toEqual([1])
  })

  test('counts as unreachable when it was silent for too long, and not before', async () => {
    const cluster = await startCluster(10_000)
    await bringUp(cluster, 'w-1')
    cluster.sim.nodeDown('w-1')
    expect(isReady(cluster.get, 'w-1')).toBe(true)
    await cluster.until((get) =>
      taints(get, 'w-1').includes('node.kubernetes.io/unreachable:NoExecute'),
    )
    expect(condition(cluster.get, 'w-1')).toMatchObject({
      status: 'Unknown',
      reason: 'NodeStatusUnknown',
      message: 'Kubelet stopped posting node status.',
    })
    cluster.sim.registerNode(node('w-1', 1))
    await cluster.until((get) => isReady(get, 'w-1'))
  })

  test('takes its pods with it when it is deleted, and they come up elsewhere', async () => {
    const cluster = await startCluster()
    await bringUp(cluster, 'w-1', 'w-2')
    const tolerations = [{ operator: 'Exists' }]
    const path = '/apis/apps/v1/namespaces/default/deployments/web'
    await cluster.apply(path, 'us', deployment({ spec: { tolerations } }))
    const ready = (get: Lookup) =>
      get('deployments.apps', 'default/web')?.['status'] !== undefined &&
      textAt(get('deployments.apps', 'default/web'), 'status', 'conditions', 1, 'status') === 'True'
    await cluster.until(ready)
    cluster.sim.deleteNode('w-1')
    const { store } = cluster.sim.context
    await cluster.until((get) => {
      const pods = store.list('pods', 'default')
      return ready(get) && pods.every((pod) => textAt(pod, 'spec', 'nodeName') === 'w-2')
    })
    expect(
      store.list('pods', 'kube-system').some((pod) => textAt(pod, 'spec', 'nodeName') === 'w-1'),
    ).toBe(false)
    expect(cluster.get('leases.coordination.k8s.io', 'kube-node-lease/w-1')).toBeUndefined()
  })
})

describe('the cloud controller manager', () => {
  const ccm = `${system}/deployments/hcloud-cloud-controller-manager`
  const isKnown = (get: Lookup) => textAt(get('nodes', 'w-1'), 'spec', 'providerID') !== ''

  test('makes nodes known, once the network and its secret are there', async () => {
    const cluster = await startCluster()
    await bringUp(cluster, 'w-1')
    await cluster.apply(ccm, 'us', cloudController())
    const { store } = cluster.sim.context
    await cluster.until(() =>
      store
        .list('pods', 'kube-system')
        .some(
          (pod) =>
            textAt(pod, 'status', 'containerStatuses', 0, 'state', 'waiting', 'reason') ===
            'CreateContainerConfigError',
        ),
    )
    await cluster.apply('/api/v1/namespaces/kube-system/secrets/hcloud', 'us', hcloudSecret)
    await cluster.until(isKnown)
    expect(cluster.get('nodes', 'w-1')).toMatchObject({
      metadata: {
        labels: {
          'topology.kubernetes.io/region': 'hel1',
          'topology.kubernetes.io/zone': 'hel1-dc2',
        },
      },
      spec: { providerID: 'hcloud://1' },
      status: {
        addresses: [
          { type: 'InternalIP', address: '10.0.64.1' },
          { type: 'Hostname', address: 'w-1' },
          { type: 'ExternalIP', address: '127.9.0.1' },
        ],
      },
    })
    expect(condition(cluster.get, 'w-1', 'NetworkUnavailable')).toMatchObject({ status: 'False' })
    expect(taints(cluster.get, 'w-1')).toEqual([])
  })

  test('is kept off uninitialized nodes where it does not tolerate them', async () => {
    const cluster = await startCluster()
    await bringUp(cluster, 'w-1')
    await cluster.apply('/api/v1/namespaces/kube-system/secrets/hcloud', 'us', hcloudSecret)
    await cluster.apply(ccm, 'us', cloudController({ tolerations: [] }))
    const { store } = cluster.sim.context
    await cluster.until(() =>
      store
        .list('events', 'kube-system')
        .some((event) =>
          textAt(event, 'message').includes('cloudprovider.kubernetes.io/uninitialized'),
        ),
    )
    expect(isKnown(cluster.get)).toBe(false)
  })

  test.each([
    [
      'panics in releases that read a field which is gone',
      { version: 'v1.29.0' },
      'CrashLoopBackOff',
    ],
    [
      'finds no node by its private address without the network',
      { network: false },
      'matches ip: 10.0.64.1',
    ],
  ])('%s', async (_, options, trace) => {
    const cluster = await startCluster()
    await bringUp(cluster, 'w-1')
    await cluster.apply('/api/v1/namespaces/kube-system/secrets/hcloud', 'us', hcloudSecret)
    await cluster.apply(ccm, 'us', cloudController(options))
    const { store } = cluster.sim.context
    await cluster.until(() =>
      JSON.stringify([...store.list('events'), ...store.list('pods')]).includes(trace),
    )
    expect(isKnown(cluster.get)).toBe(false)
  })
})

describe('kubelets', () => {
  const requests = 'certificatesigningrequests.certificates.k8s.io'

  test('ask for serving certificates, which an approver lets be issued', async () => {
    const cluster = await startCluster()
    const { store } = cluster.sim.context
    await bringUp(cluster, 'w-1')
    await cluster.until(() => store.count(requests) === 1)
    expect(store.list(requests)[0]).toMatchObject({
      spec: { signerName: 'kubernetes.io/kubelet-serving', username: 'system:node:w-1' },
    })
    const approver = deployment({
      name: 'kubelet-csr-approver',
      namespace: 'kube-system',
      replicas: 1,
      spec: { tolerations: [{ operator: 'Exists' }] },
    })
    await cluster.apply(`${system}/deployments/kubelet-csr-approver`, 'us', approver)
    await cluster.until(() => textAt(store.list(requests)[0], 'status', 'certificate') !== '')
    expect(store.list(requests)[0]).toMatchObject({
      status: { conditions: [{ type: 'Approved', status: 'True' }] },
    })
  })

  test('show no logs before they have one', async () => {
    const cluster = await startCluster()
    await bringUp(cluster, 'w-1')
    const pod = cluster.sim.context.store
      .list('pods', 'kube-system')
      .find(({ metadata }) => metadata.name.startsWith('cilium'))
    const { json } = await cluster.call(
      'GET',
      `/api/v1/namespaces/kube-system/pods/${pod?.metadata.name}/log`,
    )
    expect(json).toMatchObject({
      code: 500,
      message: expect.stringContaining('tls: internal error'),
    })
  })
})
