import { expect, test } from 'vitest'
import type { ClusterSpec } from '../../src/spec/cluster-spec.ts'
import { patchFindings } from '../../src/talos/patch-findings.ts'
import { clusterSpec } from '../plan/specs.ts'

const base = clusterSpec()

/** What is found in patches of all nodes, each as `<severity> <where>: <message>`, once. */
function findings(patch: string, more: Partial<ClusterSpec> = {}, talos = 'v1.13.9'): string[] {
  const found = patchFindings({
    ...base,
    ...more,
    talos: { ...base.talos, version: talos, patches: [patch] },
    kubernetes: { ...base.kubernetes, version: talos === 'v1.13.9' ? '1.36.3' : '1.32.4' },
  }).map(({ severity, place, message }) => `${severity} ${place.at.join('.')}: ${message}`)
  return [...new Set(found)]
}

const contradictions = [
  [
    'cluster: {network: {podSubnets: [10.244.0.0/16]}}',
    'cluster.network.podSubnets',
    'network.podRange',
  ],
  ['cluster: {network: {podSubnets: []}}', 'cluster.network.podSubnets', 'network.podRange'],
  [
    'cluster: {network: {podSubnets: [10.0.128.0/17, 10.9.0.0/16]}}',
    'cluster.network.podSubnets',
    'network.podRange',
  ],
  [
    'cluster: {network: {serviceSubnets: [172.20.0.0/16]}}',
    'cluster.network.serviceSubnets',
    'network.serviceRange',
  ],
  [
    'cluster: {network: {dnsDomain: example.org}}',
    'cluster.network.dnsDomain',
    'network.dnsDomain',
  ],
  ['cluster: {clusterName: other}', 'cluster.clusterName', 'clusterName'],
  [
    'cluster: {controlPlane: {endpoint: "https://example.org:6443"}}',
    'cluster.controlPlane.endpoint',
    'endpoint',
  ],
  [
    'cluster: {controlPlane: {endpoint: "https://10.0.32.254:443"}}',
    'cluster.controlPlane.endpoint',
    'endpoint',
  ],
  ['cluster: {network: {cni: {name: flannel}}}', 'cluster.network.cni.name', 'cni.type'],
  [
    '[{op: replace, path: /cluster/network/dnsDomain, value: example.org}]',
    '0',
    'network.dnsDomain',
  ],
  ['[{op: remove, path: /cluster/network/podSubnets}]', '0', 'network.podRange'],
  [
    'cluster: {network: {dnsDomain: {$patch: delete}}}',
    'cluster.network.dnsDomain',
    'network.dnsDomain',
  ],
] as const

test.each(contradictions)('%s contradicts the file', (patch, where, field) => {
  const found = findings(patch)
  expect(found).toHaveLength(1)
  expect(found[0]).toContain(`error ${where}: `)
  expect(found[0]).toContain(` ${field} of the cluster file, by which `)
})

test.each([
  'cluster: {network: {podSubnets: [10.0.128.0/17]}}',
  'cluster: {network: {podSubnets: [10.0.128.0/17, "fd00:10::/56"]}}',
  'cluster: {network: {dnsDomain: cluster.local}}',
  'cluster: {controlPlane: {endpoint: "https://10.0.32.254:6443/"}}',
])('%s says what the file says', (patch) => {
  expect(findings(patch)).toEqual([])
})

test('a network of Talos is no contradiction where the file leaves the network to its user', () => {
  const cni = { ...base.cni, type: 'none' as const }
  expect(findings('cluster: {network: {cni: {name: flannel}}}', { cni })).toEqual([])
})

test.each([
  ['v1.13.9', 'apiVersion: v1alpha1\nkind: HostnameConfig\nhostname: other', 'hostname'],
  ['v1.10.9', 'machine: {network: {hostname: other}}', 'machine.network.hostname'],
])('a node of %s has the name that the file gives it', (talos, patch, where) => {
  expect(findings(patch, {}, talos)).toEqual([
    expect.stringMatching(
      new RegExp(`^error ${where}: .* is not the name of the node, by which plans`),
    ),
  ])
})

test.each([
  [
    'cluster: {apiServer: {image: "registry.k8s.io/kube-apiserver:v1.36.0"}}',
    'error cluster.apiServer.image',
  ],
  [
    'cluster: {controllerManager: {image: "registry.k8s.io/kube-controller-manager:v1.35.4"}}',
    'error cluster.controllerManager.image',
  ],
  [
    'cluster: {scheduler: {image: "registry.k8s.io/kube-scheduler:v1.36.0@sha256:abc"}}',
    'error cluster.scheduler.image',
  ],
  ['cluster: {proxy: {image: "registry.k8s.io/kube-proxy:v1.36.0"}}', 'error cluster.proxy.image'],
  [
    'machine: {kubelet: {image: "ghcr.io/siderolabs/kubelet:v1.36.0"}}',
    'error machine.kubelet.image',
  ],
  ['[{op: replace, path: /cluster/apiServer/image, value: "x/kube-apiserver:v1.36.0"}]', 'error 0'],
  [
    'cluster: {apiServer: {image: "mirror.example/kube-apiserver:v1.36.3"}}',
    'warning cluster.apiServer.image',
  ],
  [
    'machine: {kubelet: {image: "ghcr.io/siderolabs/kubelet:v1.36.3-slim"}}',
    'warning machine.kubelet.image',
  ],
  [
    'machine: {install: {image: "ghcr.io/siderolabs/installer:v1.13.0"}}',
    'warning machine.install.image',
  ],
  ['cluster: {etcd: {image: "registry.k8s.io/etcd:v3.6.8"}}', 'warning cluster.etcd.image'],
  [
    'cluster: {coreDNS: {image: "registry.k8s.io/coredns/coredns:v1.12.0"}}',
    'warning cluster.coreDNS.image',
  ],
])('%s pins an image', (patch, message) => {
  const controlPlane = { ...base.controlPlane, patches: [] }
  const found = findings(patch, { controlPlane }).filter((each) => contradiction.test(each))
  expect(found).toEqual([expect.stringContaining(`${message}: `)])
})

const contradiction = / pins | is not used| stays as it is/
