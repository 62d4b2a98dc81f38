import type { ClusterSpec, NodePool } from '../../src/spec/cluster-spec.ts'

/** A cluster as most people have it, for tests of addons. */
export function sampleSpec(change: Partial<ClusterSpec> = {}): ClusterSpec {
  return {
    clusterName: 'demo',
    hetzner: { region: 'hel1', networkZone: 'eu-central', sshKeys: [] },
    network: {
      cidr: '10.0.0.0/16',
      nodeRange: '10.0.64.0/19',
      podRange: '10.0.128.0/17',
      serviceRange: '10.0.96.0/19',
      loadBalancerRange: '10.0.0.0/24',
      dnsDomain: 'cluster.local',
    },
    firewall: { kubernetesApi: [], talosApi: [], runnerAccess: true, extraRules: [] },
    loadBalancer: { type: 'lb11', location: 'hel1', privateOnly: true },
    endpoint: { type: 'loadBalancer' },
    controlPlane: samplePool('control-plane', 'control-plane', 3),
    workers: [samplePool('workers', 'worker', 2)],
    talos: {
      version: 'v1.9.0',
      factory: 'https://factory.talos.dev',
      extensions: [],
      kernelArgs: [],
      patches: [],
      controlPlanePatches: [],
      workerPatches: [],
      diskEncryption: false,
      registryMirrors: {},
      nameservers: [],
      timeServers: [],
    },
    kubernetes: {
      version: '1.32.0',
      apiServerExtraArgs: {},
      controllerManagerExtraArgs: {},
      schedulerExtraArgs: {},
      kubeletExtraArgs: {},
      certSans: [],
    },
    cni: { type: 'cilium', values: {} },
    addons: {
      hcloudCcm: { enabled: true, values: {} },
      csrApprover: { enabled: true, values: {} },
      hcloudCsi: { enabled: true, values: {} },
      custom: [],
    },
    state: {
      branch: 'hcloud-talos',
      recipients: [],
      signers: [],
      encrypt: 'secrets',
      alongside: [],
    },
    upgrade: { gates: [], gateMinutes: 10, maxUnavailable: 1 },
    policy: {
      unknownVersions: 'refuse',
      onDestroyVolumes: 'keep',
      onDestroyNetwork: 'delete',
      onDrift: 'restore',
      onNodeConfigDrift: 'heal',
      onAddonDrift: 'heal',
      onFailedChange: 'revert',
      unapproved: 'live',
    },
    ...change,
  }
}

export function samplePool(
  name: string,
  role: 'control-plane' | 'worker',
  count: number,
  change: Partial<NodePool> = {},
): NodePool {
  return {
    name,
    role,
    count,
    type: 'cx23',
    arch: 'amd64',
    locations: ['hel1'],
    labels: {},
    annotations: {},
    taints: [],
    patches: [],
    publicIpv4: true,
    publicIpv6: false,
    ...change,
  }
}

export const sampleFacts = { uid: '0123456789abcdef' }
