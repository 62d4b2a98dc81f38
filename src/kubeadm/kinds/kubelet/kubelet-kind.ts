import type { ClusterRecord } from '../../../plan/record.ts'
import { isMember, runningKubernetes, seenNode } from '../../cluster/found-cluster.ts'
import type { KubeadmKind, KubeadmRequest } from '../kubeadm-kind.ts'

/** The kubelet of each node that was reached, which an upgrade drains the node for. */
export const kubeletKind: KubeadmKind = {
  name: 'kubelet',
  desire: (request) =>
    nodes(request).map(({ name, version }) =>
      toRecord(name, request.goal === 'spec' ? request.spec.kubernetes.version : version),
    ),
  live: (request) => nodes(request).map(({ name, version }) => toRecord(name, version)),
  rules: () => ({
    create: notByItself,
    update: () => ({
      action: 'update',
      risk: 'drain',
      reason: 'it is drained, and its kubelet restarts in another version',
    }),
    delete: notByItself,
  }),
  versionFields: new Set(['version']),
}

/** Without a cluster that runs, a kubelet that is installed is one check of a host. */
function nodes({ spec, found }: KubeadmRequest): { name: string; version: string }[] {
  if (runningKubernetes(found) === undefined) return []
  return spec.hosts.flatMap(({ name }) => {
    const seen = found.hosts.get(name)
    if (seen === undefined || !isMember(found, name)) return []
    const version = seenNode(found, name)?.kubeletVersion ?? seen.traces.versions.kubelet
    return version === undefined ? [] : [{ name, version }]
  })
}

function toRecord(name: string, version: string): ClusterRecord {
  return { kind: 'kubelet', name, spec: { version }, needs: [] }
}

function notByItself(): never {
  throw new Error('a kubelet is never created or removed by itself')
}
