import { textDigest } from '../../../lib/canonical-json.ts'
import type { ClusterRecord } from '../../../plan/record.ts'
import type { HostSpec, HostsSpec } from '../../../spec/hosts/hosts-spec.ts'
import { isMember, knownNode, standingOf } from '../../cluster/found-cluster.ts'
import { kubeVipManifest } from '../../config/kube-vip-manifest.ts'
import type { SeenHost } from '../../host/seen-host.ts'
import { nodeRole } from '../host/host-kind.ts'
import type { KubeadmKind, KubeadmRequest } from '../kubeadm-kind.ts'
import { isReplaced } from '../node/node-kind.ts'

/**
 * The static pod of each control plane that may hold the virtual IP. `kubeadm init` needs it before the first control
 * plane is one, with other rights: that is part of making the node, and what stays is this.
 */
export const kubeVipKind: KubeadmKind = {
  name: 'kube-vip',
  desire: ({ spec, found }) =>
    spec.hosts.flatMap((host) => {
      const seen = found.hosts.get(host.name)
      const manifest = seen && lastingManifest(spec, host, seen)
      return manifest === undefined ? [] : [toRecord(host.name, textDigest(manifest))]
    }),
  live: (request) =>
    [...request.found.hosts.values()].flatMap((seen) => liveKubeVip(seen, request)),
  rules: () => ({
    create: () => ({ risk: 'live', reason: 'it may hold the virtual IP from then on' }),
    update: () => ({
      action: 'update',
      risk: 'live',
      reason: 'kube-vip restarts on it, and the virtual IP may move to another control plane',
    }),
    delete: () => ({
      risk: 'live',
      reason: 'it gives up the virtual IP before it leaves the control plane',
    }),
  }),
  versionFields: new Set(),
}

/**
 * The manifest that a control plane keeps; undefined on other hosts, where somebody else keeps the endpoint, and where
 * the host has no way to the virtual IP.
 */
export function lastingManifest(
  { kubeadm: { endpoint }, kubernetes }: HostsSpec,
  host: HostSpec,
  { traces }: SeenHost,
): string | undefined {
  if (endpoint.type !== 'virtualIp' || nodeRole(host) !== 'control-plane') return undefined
  const name = endpoint.interface ?? traces.vipInterface
  if (name === undefined) return undefined
  const place = { kubernetesVersion: kubernetes.version, interface: name, stage: 'after' } as const
  return kubeVipManifest(endpoint, place)
}

/** What is there of nodes that stay, or go for good: a node that is made again gets its manifest again. */
function liveKubeVip(seen: SeenHost, request: KubeadmRequest): ClusterRecord[] {
  const { name, traces } = seen
  const { found, spec } = request
  if (traces.kubeVipDigest === undefined) return []
  const host = spec.hosts.find((one) => one.name === name)
  const isThere =
    host === undefined
      ? knownNode(found, name) !== undefined && standingOf(found, name) !== 'none'
      : isMember(found, name) && !isReplaced(host, request)
  return isThere ? [toRecord(name, traces.kubeVipDigest)] : []
}

function toRecord(name: string, manifest: string): ClusterRecord {
  return { kind: 'kube-vip', name, spec: { manifest }, needs: [`node/${name}`] }
}
