import { desireAddons } from '../../../src/addons/desire.ts'
import type { EtcdMember } from '../../../src/kubeadm/cluster/etcd-member.ts'
import type { SeenCluster, SeenNode } from '../../../src/kubeadm/cluster/seen-cluster.ts'
import { clusterConfiguration } from '../../../src/kubeadm/config/cluster-configuration.ts'
import { kubeletConfiguration } from '../../../src/kubeadm/config/kubelet-configuration.ts'
import { kubeletArguments, nodeTaints } from '../../../src/kubeadm/config/node-registration.ts'
import { patchesDigest } from '../../../src/kubeadm/config/patch-files.ts'
import type { HostEvidence } from '../../../src/kubeadm/host/host-evidence.ts'
import type { KubeadmTraces, SeenHost } from '../../../src/kubeadm/host/seen-host.ts'
import { lastingManifest } from '../../../src/kubeadm/kinds/kube-vip/kube-vip-kind.ts'
import { textDigest } from '../../../src/lib/canonical-json.ts'
import type { Inventory } from '../../../src/plan/inventory.ts'
import { addonsOfHosts } from '../../../src/planner/kubeadm/addons-of-hosts.ts'
import { foundIn } from '../../../src/planner/kubeadm/found-in-view.ts'
import { hostNodes } from '../../../src/planner/kubeadm/host-nodes.ts'
import type { HostLook, HostsView } from '../../../src/planner/kubeadm/hosts-view.ts'
import { firstInventory, recordHosts } from '../../../src/planner/kubeadm/record-hosts.ts'
import type { HostSpec, HostsSpec } from '../../../src/spec/hosts/hosts-spec.ts'
import { specDigest } from '../../../src/spec/spec-digest.ts'
import type { Generation } from '../../../src/store/generation.ts'
import { rackSpec } from '../../kubeadm/config/rack.ts'
import { hostsFile } from '../../spec/hosts/hosts-file.ts'

export const now = Date.parse('2026-11-30T08:00:00Z')
export const authority = `sha256:${'a'.repeat(64)}`

const noTraces: KubeadmTraces = {
  arch: 'amd64',
  caHash: undefined,
  hasCaKey: false,
  hasAdminConf: false,
  hasKubeletConf: false,
  hasEtcdData: false,
  versions: { kubeadm: undefined, kubelet: undefined, containerd: undefined },
  staticPods: {},
  kubeVipDigest: undefined,
  patchesDigest: undefined,
  vipInterface: 'eth1',
  holdsVip: false,
  certificatesEnd: undefined,
  authoritiesEnd: undefined,
  hasFixedKubeletClient: false,
  kubelet: { config: undefined, flags: undefined },
}

/** One check of each step. */
const steps = [
  ['os_ready', 'swap'],
  ['runtime_ready', 'containerd-version'],
  ['kubeadm_ready', 'kubernetes-packages'],
] as const

export function evidence(
  host: string,
  failed: Readonly<Record<string, string>> = {},
): HostEvidence[] {
  const known: readonly (readonly [HostEvidence['step'], string])[] = [
    ...steps,
    ...Object.keys(failed)
      .filter((check) => !steps.some(([, own]) => own === check))
      .map((check) => ['os_ready', check] as const),
  ]
  return known.map(([step, check]) => ({
    at: now,
    host,
    step,
    check,
    words: `${check} is as it should be`,
    state: check in failed ? 'failed' : 'passed',
    seen: failed[check] ?? 'it is so',
  }))
}

/** A host that nobody has touched yet. */
export function bareHost({ name }: HostSpec): SeenHost {
  const failed = {
    'containerd-version': 'it is not installed',
    'kubernetes-packages': 'wanted is 1.35.4, found: kubeadm=none',
  }
  return {
    name,
    evidence: evidence(name, failed),
    machineId: `machine-of-${name}`,
    clockAheadMs: 3,
    mark: undefined,
    traces: noTraces,
  }
}

const sample = rackSpec(hostsFile.replaceAll(/hostKey: .*/g, 'hostKey: record'))

/** The file with these control planes and workers. */
export function rackOf(
  controlPlanes: readonly string[],
  workers: readonly string[] = [],
): HostsSpec {
  const like = (name: string, role: 'control-plane' | 'worker'): HostSpec[] => {
    const [host] = sample.hosts
    return host ? [{ ...host, name, role, address: addressOf(name), nodeIp: addressOf(name) }] : []
  }
  const hosts = [
    ...controlPlanes.flatMap((name) => like(name, 'control-plane')),
    ...workers.flatMap((name) => like(name, 'worker')),
  ].sort((a, b) => (a.name < b.name ? -1 : 1))
  const podsOnControlPlanes = workers.length === 0
  return { ...sample, hosts, kubeadm: { ...sample.kubeadm, podsOnControlPlanes } }
}

/** Of a name, whatever else is in the file. */
function addressOf(name: string): string {
  const base = name.startsWith('cp') ? 20 : 60
  return `192.0.2.${base + Number(/\d+$/.exec(name)?.[0] ?? 0)}`
}

/** As a view finds it before anything was done. */
export function newView(spec: HostsSpec): HostsView {
  return {
    spec,
    generation: undefined,
    nodes: hostNodes(spec),
    hosts: new Map(spec.hosts.map((host) => [host.name, looked(bareHost(host))])),
    cluster: undefined,
  }
}

export function looked(host: SeenHost): HostLook {
  return { kind: 'seen', host, hostKey: `ssh-ed25519 key-of-${host.name}` }
}

/** A host of a cluster that runs as the spec has it. */
export function memberHost(spec: HostsSpec, host: HostSpec): SeenHost {
  const { version } = spec.kubernetes
  const bare = bareHost(host)
  const isControlPlane = host.role === 'control-plane'
  const manifest = lastingManifest(spec, host, bare)
  const image = isControlPlane
    ? {
        'kube-apiserver': version,
        'kube-controller-manager': version,
        'kube-scheduler': version,
        etcd: '3.6.6',
      }
    : {}
  return {
    ...bare,
    evidence: evidence(host.name),
    traces: {
      ...bare.traces,
      caHash: authority,
      hasCaKey: isControlPlane,
      hasAdminConf: isControlPlane,
      hasKubeletConf: true,
      hasEtcdData: isControlPlane,
      versions: { kubeadm: version, kubelet: version, containerd: spec.kubeadm.runtime.version },
      staticPods: image,
      kubeVipDigest: manifest === undefined ? undefined : textDigest(manifest),
      patchesDigest: patchesDigest(spec),
      vipInterface: 'eth1',
      holdsVip: isControlPlane && host.name === spec.hosts.find(isOfControlPlane)?.name,
      certificatesEnd: isControlPlane ? now + 300 * 24 * 3_600_000 : undefined,
      authoritiesEnd: now + 3_000 * 24 * 3_600_000,
      kubelet: {
        config: kubeletConfiguration(spec),
        flags: {
          ...kubeletArguments(spec, host),
          'container-runtime-endpoint': 'unix:///var/run/containerd/containerd.sock',
        },
      },
    },
  }
}

const isOfControlPlane = ({ role }: HostSpec) => role === 'control-plane'

function seenNode(spec: HostsSpec, host: HostSpec): SeenNode {
  return {
    name: host.name,
    isControlPlane: host.role === 'control-plane',
    isReady: true,
    notReadyBecause: undefined,
    kubeletVersion: spec.kubernetes.version,
    machineId: `machine-of-${host.name}`,
    internalIp: host.nodeIp,
    isCordoned: false,
    cordonedBy: undefined,
    labels: { 'kubernetes.io/hostname': host.name, ...host.labels },
    taints: nodeTaints(spec, host).map(({ key, value, effect }) => ({
      key,
      effect,
      ...(value !== undefined && { value }),
    })),
  }
}

export function memberOf(name: string, partial: Partial<EtcdMember> = {}): EtcdMember {
  return {
    id: textDigest(name).slice(0, 16),
    name,
    peerUrls: [`https://${name}:2380`],
    isLearner: false,
    isHealthy: true,
    ...partial,
  }
}

export function seenCluster(spec: HostsSpec): SeenCluster {
  const controlPlanes = spec.hosts.filter(isOfControlPlane)
  return {
    through: controlPlanes[0]?.name ?? '',
    caHash: authority,
    configuration: clusterConfiguration(spec),
    kubeletConfiguration: kubeletConfiguration(spec),
    nodes: spec.hosts.map((host) => seenNode(spec, host)),
    members: controlPlanes.map(({ name }) => memberOf(name)),
  }
}

/** A state with this inventory, of a spec that was applied to its end unless another is named. */
export function generationOf(inventory: Inventory, applied?: HostsSpec): Generation {
  return {
    commit: 'c0ffee',
    manifest: {
      format: 1,
      repository: 'example/rack',
      cluster: inventory.clusterName,
      uid: inventory.uid,
      generation: 7,
      previous: null,
      keyEpoch: 1,
      recipients: 'e'.repeat(64),
      specDigest: applied === undefined ? null : specDigest(applied),
      appliedCommit: null,
      toolVersion: '0.0.0',
      writer: { run: '1', attempt: 1, nonce: '0' },
      writtenAt: new Date(now).toISOString(),
      files: [],
    },
    inventory,
    journal: [],
    hasSecrets: true,
    nodeConfigs: [],
    plans: new Map(),
    files: new Map(),
  }
}

function addonsApplied(spec: HostsSpec, uid: string): Inventory['addons'] {
  const records = desireAddons(spec, { uid }, addonsOfHosts)
  return Object.fromEntries(
    records.map(({ name, spec: { version, digest } }) => [
      name,
      { version: String(version), digest: String(digest) },
    ]),
  )
}

/** A cluster that was brought about as the spec has it, and recorded. */
export function runningView(spec: HostsSpec, changed: (view: HostsView) => HostsView = (v) => v) {
  const begun: HostsView = {
    ...newView(spec),
    hosts: new Map(spec.hosts.map((host) => [host.name, looked(memberHost(spec, host))])),
    cluster: seenCluster(spec),
  }
  const first = { ...firstInventory(begun, '0123456789abcdef'), bootstrapped: true }
  const inventory = { ...recordHosts(first, begun), addons: addonsApplied(spec, first.uid) }
  return changed({
    ...begun,
    generation: generationOf(inventory, spec),
    nodes: hostNodes(spec, inventory),
  })
}

/** The same cluster with another file. */
export function withSpec(view: HostsView, spec: HostsSpec): HostsView {
  const hosts = new Map(view.hosts)
  for (const host of spec.hosts) {
    if (!hosts.has(host.name)) hosts.set(host.name, looked(bareHost(host)))
  }
  return { ...view, spec, nodes: hostNodes(spec, view.generation?.inventory), hosts }
}

/** The view with one host seen otherwise. */
export function withHost(
  view: HostsView,
  name: string,
  change: (host: SeenHost) => SeenHost,
): HostsView {
  const host = foundIn(view).hosts.get(name)
  if (host === undefined) throw new Error(`${name} was not reached`)
  return { ...view, hosts: new Map([...view.hosts, [name, looked(change(host))]]) }
}

export function withUnreached(view: HostsView, name: string): HostsView {
  const look: HostLook = { kind: 'unreached', name, because: 'connection timed out' }
  return { ...view, hosts: new Map([...view.hosts, [name, look]]) }
}

export function withCluster(
  view: HostsView,
  change: (cluster: SeenCluster) => SeenCluster,
): HostsView {
  if (view.cluster === undefined) throw new Error('there is no cluster')
  return { ...view, cluster: change(view.cluster) }
}
