import { afterEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { SimKubernetes } from '../../../src/sandbox/kubernetes/sim-kubernetes.ts'
import { createTalosGuest } from '../../../src/sandbox/talos/create-talos-guest.ts'
import type { KubernetesOptions } from '../../../src/sandbox/talos/kubernetes-port.ts'
import { State } from '../../../src/talos/api/gen/cosi/state_pb.js'
import { MachineService } from '../../../src/talos/api/gen/machine/machine_pb.js'
import { createConfig } from './cluster-secrets.ts'
import { TalosBed } from './talos-bed.ts'
import { collect, failureOf } from './talos-client.ts'

const { method } = MachineService
const NO_REBOOT = 2
const beds: TalosBed[] = []

afterEach(async () => {
  for (const bed of beds.splice(0)) await bed.close()
})

/** A control plane of one node with the sandbox's own Kubernetes in it. */
async function newCluster() {
  const bed = new TalosBed()
  beds.push(bed)
  const clusters: SimKubernetes[] = []
  const served: string[] = []
  bed.world.guests.talos = createTalosGuest({
    createKubernetes: (options: KubernetesOptions) => {
      const kubernetes = new SimKubernetes({ ...options, dns: false })
      clusters.push(kubernetes)
      return {
        serve: (address, port, admits, version) => {
          served.push(version)
          return kubernetes.serve(address, port, admits, version)
        },
        registerNode: (node, ended) => kubernetes.registerNode(node, ended),
        nodeDown: (name) => kubernetes.nodeDown(name),
        createMissing: (objects) => kubernetes.createMissing(objects),
      }
    },
  })
  const machine = await bed.configured('cp-1')
  const admin = bed.client(machine)
  await admin.unary(method.bootstrap, {})
  await bed.until('running', () => bed.node('cp-1')?.stage.name === 'running')
  const [kubernetes] = clusters
  if (!kubernetes) throw new Error('a bootstrapped cluster has a Kubernetes')
  const { store } = kubernetes.context
  return { bed, machine, admin, served, store }
}

type Cluster = Awaited<ReturnType<typeof newCluster>>

async function apply(
  { bed, admin }: Cluster,
  cluster: Record<string, unknown>,
  kubernetes = '1.32.0',
) {
  const config = createConfig('controlplane', bed.secrets, { kubernetes, cluster })
  await admin.unary(method.applyConfiguration, { data: Buffer.from(config), mode: NO_REBOOT })
}

function imageOf({ store }: Cluster, component: string): unknown {
  const pod = store.get('pods', `kube-system/${component}-cp-1`)
  return parse(JSON.stringify(pod ?? {})).spec?.containers?.[0]?.image
}

test('a component runs from the image of its config; its mirror pod is recreated, and nothing reboots', async () => {
  const cluster = await newCluster()
  const { bed, machine, served, store } = cluster
  const { bootId } = machine
  const before = store.get('pods', 'kube-system/kube-apiserver-cp-1')
  expect(imageOf(cluster, 'kube-apiserver')).toBe('registry.k8s.io/kube-apiserver:v1.32.0')
  const apiServer = { image: 'registry.k8s.io/kube-apiserver:v1.33.1', certSANs: [] }
  await apply(cluster, { apiServer })
  await bed.until('the new one runs', () =>
    String(imageOf(cluster, 'kube-apiserver')).endsWith(':v1.33.1'),
  )
  const after = store.get('pods', 'kube-system/kube-apiserver-cp-1')
  expect(after?.metadata.uid).not.toBe(before?.metadata.uid)
  expect(served).toEqual(['v1.32.0', 'v1.33.1'])
  expect(imageOf(cluster, 'kube-scheduler')).toBe('registry.k8s.io/kube-scheduler:v1.32.0')
  expect(machine.bootId).toBe(bootId)
  expect(bed.world.contractErrors).toEqual([])
})

test('another kubelet registers the node again, as its own version', async () => {
  const cluster = await newCluster()
  const versionOf = () =>
    parse(JSON.stringify(cluster.store.get('nodes', 'cp-1'))).status.nodeInfo.kubeletVersion
  expect(versionOf()).toBe('v1.32.0')
  await apply(cluster, {}, '1.32.4')
  await cluster.bed.until('it has registered', () => versionOf() === 'v1.32.4')
  expect(cluster.bed.node('cp-1')?.kubelet.healthy).toBe(true)
})

test('bootstrap manifests are made where they are missing, and changed by nobody', async () => {
  const cluster = await newCluster()
  const { bed, machine, admin, store } = cluster
  const proxy = () =>
    JSON.stringify(store.get('daemonsets.apps', 'kube-system/kube-proxy')?.['spec'])
  await bed.until('they are there', () => proxy() !== undefined)
  expect(proxy()).toContain('kube-proxy:v1.32.0')
  expect(store.get('deployments.apps', 'kube-system/coredns')).toBeDefined()

  const inlineManifests = [
    {
      name: 'own',
      contents: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: own, namespace: default}\n',
    },
  ]
  await apply(cluster, {
    proxy: { image: 'registry.k8s.io/kube-proxy:v1.32.4' },
    inlineManifests,
  })
  await bed.until(
    'the new one is there',
    () => store.get('configmaps', 'default/own') !== undefined,
  )
  expect(proxy()).toContain('kube-proxy:v1.32.0')
  const request = { namespace: 'controlplane', type: 'Manifests.kubernetes.talos.dev' }
  const listed = await collect(admin.stream(State.method.list, request))
  expect(listed.map(({ resource }) => resource?.metadata?.id)).toEqual([
    '10-kube-proxy',
    '11-core-dns',
    '99-inline-own',
  ])
  const [first] = listed
  expect(first?.resource?.spec?.yamlSpec).toContain('kube-proxy:v1.32.4')
  // The bootstrap token is among them on a real node.
  const reader = bed.client(machine, ['os:reader'])
  const refused = await failureOf(collect(reader.stream(State.method.list, request)))
  expect(String(refused)).toContain('PERMISSION_DENIED')
})

test('a config that asks for a skew which Kubernetes does not allow is a mistake of who applies it', async () => {
  const cluster = await newCluster()
  const scheduler = { image: 'registry.k8s.io/kube-scheduler:v1.33.1' }
  await apply(cluster, { scheduler })
  await cluster.bed.until('it is noticed', () => cluster.bed.world.contractErrors.length > 0)
  expect(cluster.bed.world.contractErrors).toEqual([
    'kube-scheduler v1.33.1 on cp-1 is newer than the oldest API server (1.32)',
  ])
})

test('an image that the registry does not give cannot be pulled', async () => {
  const { bed, admin } = await newCluster()
  const reference = 'registry.k8s.io/kube-apiserver:v1.33.1'
  bed.talos.faults.refuseImages('cp-1', 'kube-apiserver')
  const refused = await failureOf(admin.unary(method.imagePull, { namespace: 2, reference }))
  expect(String(refused)).toContain(`${reference}: not found`)
  bed.talos.faults.release('cp-1')
  await admin.unary(method.imagePull, { namespace: 2, reference })
})
