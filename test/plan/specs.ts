import type { ClusterSpec, NodePool } from '../../src/spec/cluster-spec.ts'

/** A pool with sensible rest, for tests that care for a few fields. */
export function pool(partial: Partial<NodePool> & Pick<NodePool, 'name' | 'count'>): NodePool {
  return {
    role: partial.name === 'control-plane' ? 'control-plane' : 'worker',
    type: 'cx23',
    arch: 'amd64',
    locations: ['hel1'],
    labels: {},
    annotations: {},
    taints: [],
    patches: [],
    publicIpv4: true,
    publicIpv6: true,
    ...partial,
  }
}

/** A spec of a small cluster. */
export function clusterSpec(partial: Partial<ClusterSpec> = {}): ClusterSpec {
  return {
    clusterName: 'demo',
    hetzner: { region: 'hel1', networkZone: 'eu-central', sshKeys: [] },
    network: {
      cidr: '10.0.0.0/16',
      nodeRange: '10.0.64.0/19',
      podRange: '10.0.128.0/17',
      serviceRange: '10.0.96.0/19',
      loadBalancerRange: '10.0.32.0/24',
      dnsDomain: 'cluster.local',
    },
    firewall: { kubernetesApi: [], talosApi: [], runnerAccess: true, extraRules: [] },
    loadBalancer: { type: 'lb11', location: 'hel1', privateOnly: true },
    endpoint: { type: 'loadBalancer' },
    controlPlane: pool({ name: 'control-plane', count: 3 }),
    workers: [pool({ name: 'workers', count: 2 })],
    talos: {
      version: 'v1.12.1',
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
      version: '1.35.0',
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
    ...partial,
  }
}
