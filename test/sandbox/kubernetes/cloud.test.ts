import { describe, expect, test } from 'vitest'
import type { CloudHooks } from '../../../src/sandbox/kubernetes/cloud-hooks.ts'
import { objectsAt, textAt } from '../../../src/sandbox/kubernetes/model/read-json.ts'
import { worldCloud } from '../../../src/sandbox/kubernetes/world-cloud.ts'
import { World } from '../../../src/sandbox/world.ts'
import { cilium, cloudController, daemonSet, deployment, hcloudSecret } from './sample-objects.ts'
import { node, type SimCluster, startCluster } from './sim-cluster.ts'

const system = '/apis/apps/v1/namespaces/kube-system'
const tolerant = { tolerations: [{ operator: 'Exists' }] }

/** Two workers, with Cilium, the cloud controller manager and the CSI driver. */
async function startCloud(): Promise<SimCluster> {
  const cluster = await startCluster()
  for (const index of [1, 2]) cluster.sim.registerNode(node(`w-${index}`, index))
  await cluster.apply(`${system}/daemonsets/cilium`, 'us', cilium)
  await cluster.apply('/api/v1/namespaces/kube-system/secrets/hcloud', 'us', hcloudSecret)
  const ccm = cloudController()
  await cluster.apply(`${system}/deployments/hcloud-cloud-controller-manager`, 'us', ccm)
  const driver = { namespace: 'kube-system', spec: tolerant }
  const onNodes = daemonSet({ ...driver, name: 'hcloud-csi-node' })
  await cluster.apply(`${system}/daemonsets/hcloud-csi-node`, 'us', onNodes)
  const name = 'hcloud-csi-controller'
  const env = [{ name: 'HCLOUD_VOLUME_EXTRA_LABELS', value: 'cluster=demo' }]
  const containers = [{ name, image: 'hcloud-csi:1', env }]
  const controller = deployment({ ...driver, name, replicas: 1, spec: { ...tolerant, containers } })
  await cluster.apply(`${system}/deployments/${name}`, 'us', controller)
  await cluster.call('POST', '/apis/storage.k8s.io/v1/storageclasses', {
    body: {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'hcloud-volumes' },
      provisioner: 'csi.hetzner.cloud',
      volumeBindingMode: 'WaitForFirstConsumer',
    },
  })
  await cluster.until((get) =>
    ['w-1', 'w-2'].every(
      (one) => textAt(get('csinodes.storage.k8s.io', one), 'spec', 'drivers', 0, 'name') !== '',
    ),
  )
  return cluster
}

describe('the CSI driver', () => {
  test('says on each node which server it is', async () => {
    const { get } = await startCloud()
    expect(get('csinodes.storage.k8s.io', 'w-2')).toMatchObject({
      spec: { drivers: [{ name: 'csi.hetzner.cloud', nodeID: '2', allocatable: { count: 16 } }] },
    })
    expect(get('nodes', 'w-2')?.metadata.labels).toMatchObject({
      'csi.hetzner.cloud/location': 'hel1',
    })
  })

  test('makes a volume when a pod needs it, attaches it, and deletes it with its claim', async () => {
    const cluster = await startCloud()
    const { world, call } = cluster
    const claims = '/api/v1/namespaces/default/persistentvolumeclaims'
    await call('POST', claims, {
      body: {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name: 'data' },
        spec: {
          accessModes: ['ReadWriteOnce'],
          storageClassName: 'hcloud-volumes',
          resources: { requests: { storage: '5Gi' } },
        },
      },
    })
    expect(world.hetzner.volumes.size).toBe(0)
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }]
    const web = deployment({ replicas: 1, spec: { ...tolerant, volumes } })
    await cluster.apply('/apis/apps/v1/namespaces/default/deployments/web', 'us', web)
    await cluster.until(
      (get) =>
        textAt(get('deployments.apps', 'default/web'), 'status', 'conditions', 1, 'status') ===
        'True',
    )
    const [volume] = world.hetzner.volumes.values()
    expect(volume).toMatchObject({
      size: 10,
      location: 'hel1',
      labels: {
        'pvc-name': 'data',
        'pvc-namespace': 'default',
        'managed-by': 'csi-driver',
        cluster: 'demo',
      },
    })
    expect(cluster.get('persistentvolumeclaims', 'default/data')).toMatchObject({
      status: { phase: 'Bound', capacity: { storage: '10Gi' } },
    })
    expect(cluster.sim.context.store.count('volumeattachments.storage.k8s.io')).toBe(1)
    await call('DELETE', `${claims}/data`)
    expect((await call('GET', `${claims}/data`)).status).toBe(200)
    await call('DELETE', '/apis/apps/v1/namespaces/default/deployments/web')
    await cluster.until(() => world.hetzner.volumes.size === 0)
    await cluster.until((get) => get('persistentvolumeclaims', 'default/data') === undefined)
  })
})

describe('a Service of type LoadBalancer', () => {
  const services = '/api/v1/namespaces/default/services'
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: { type: 'LoadBalancer', selector: { app: 'web' }, ports: [{ port: 80 }] },
  }

  test('gets a load balancer at Hetzner that carries its uid, until it is deleted', async () => {
    const cluster = await startCloud()
    const { json } = await cluster.call('POST', services, { body: service })
    await cluster.until(
      (get) =>
        textAt(get('services', 'default/web'), 'status', 'loadBalancer', 'ingress', 0, 'ip') !== '',
    )
    const [balancer] = cluster.world.hetzner.loadBalancers.values()
    expect(balancer).toMatchObject({
      labels: { 'hcloud-ccm/service-uid': textAt(json, 'metadata', 'uid') },
      location: 'hel1',
      services: [{ listenPort: 80, destinationPort: 30_000 }],
      targets: [
        { type: 'server', server: 1 },
        { type: 'server', server: 2 },
      ],
    })
    await cluster.call('DELETE', `${services}/web`)
    await cluster.until((get) => get('services', 'default/web') === undefined)
    expect(cluster.world.hetzner.loadBalancers.size).toBe(0)
  })
})

describe('nodes of deleted servers', () => {
  test('go, but never those that Hetzner has never heard of', async () => {
    const world = new World()
    const cloud: CloudHooks = worldCloud(world)
    expect(cloud.server(7)).toBeUndefined()
    expect(cloud.isGone(7)).toBe(false)
    await world.close()
    const cluster = await startCloud()
    cluster.sim.nodeDown('w-1')
    await cluster.until((get) =>
      objectsAt(get('nodes', 'w-1'), 'spec', 'taints').some(
        (taint) => textAt(taint, 'key') === 'node.kubernetes.io/unreachable',
      ),
    )
    expect(cluster.get('nodes', 'w-1')).toBeDefined()
  })
})
