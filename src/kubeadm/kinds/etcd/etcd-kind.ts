import type { ClusterRecord } from '../../../plan/record.ts'
import { strayMembers } from '../../cluster/stray-members.ts'
import { nodeRole } from '../host/host-kind.ts'
import type { KubeadmKind, KubeadmRequest } from '../kubeadm-kind.ts'

/**
 * etcd as a whole. It begins with the first control plane, and is there once each control plane has a member and all of
 * them are healthy. What belongs to none is removed from it before another one joins.
 */
export const etcdKind: KubeadmKind = {
  name: 'etcd',
  desire: ({ spec, found }) => [
    {
      kind: 'etcd',
      name: spec.clusterName,
      spec: { strays: {} },
      needs: spec.hosts
        .filter((host) => nodeRole(host) === 'control-plane' && found.hosts.has(host.name))
        .map(({ name }) => `node/${name}` as const),
    },
  ],
  live: (request) => (request.found.inventory?.bootstrapped ? [liveEtcd(request)] : []),
  rules: () => ({
    create: () => ({
      risk: 'additive',
      reason: 'it begins with the first control plane, and has a member on each of them',
    }),
    update: () => ({
      action: 'update',
      risk: 'live',
      reason: 'members that never started, or belong to no host, are removed',
    }),
    delete: () => ({ risk: 'data-loss', reason: 'the cluster goes' }),
  }),
  versionFields: new Set(),
}

function liveEtcd({ spec, found }: KubeadmRequest): ClusterRecord {
  const wanted = new Set(spec.hosts.map(({ name }) => name))
  const { removable } = strayMembers(found, wanted)
  const strays = removable.map(
    ({ id, name, peerUrls }) => [id, name === '' ? peerUrls.join(', ') : name] as const,
  )
  return {
    kind: 'etcd',
    name: spec.clusterName,
    spec: { strays: Object.fromEntries(strays) },
    needs: [],
  }
}
