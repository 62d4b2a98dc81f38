import type { JsonObject } from '../../../lib/json.ts'
import type { FieldChange } from '../../../plan/change.ts'
import type { DiffRules } from '../../../plan/diff-records.ts'
import type { ClusterRecord, RecordKey } from '../../../plan/record.ts'
import type { HostSpec } from '../../../spec/hosts/hosts-spec.ts'
import { certificatesField } from '../../cluster/certificate-ends.ts'
import { runningKubelet, wantedKubelet } from '../../cluster/compared-kubelet.ts'
import {
  type FoundCluster,
  knownNode,
  runningRole,
  type Standing,
  seenNode,
  standingOf,
} from '../../cluster/found-cluster.ts'
import { controlPlaneTaint, nodeTaints } from '../../config/node-registration.ts'
import { patchesDigest } from '../../config/patch-files.ts'
import type { SeenHost } from '../../host/seen-host.ts'
import { nodeRole } from '../host/host-kind.ts'
import type { KubeadmKind, KubeadmRequest } from '../kubeadm-kind.ts'
import { taintKey, taintsByKey } from './node-taints.ts'

/**
 * A host as a node of the cluster. It is created by `kubeadm init` or `kubeadm join`, and deleted by leaving etcd and the
 * cluster. Labels and taints that nobody of us gave it are not looked at.
 */
export const nodeKind: KubeadmKind = {
  name: 'node',
  desire: (request) =>
    request.spec.hosts.flatMap((host) =>
      request.found.hosts.has(host.name) ? [desiredNode(host, request)] : [],
    ),
  live: (request) => [
    ...request.spec.hosts.flatMap((host) => liveNode(host, request)),
    ...leftNodes(request),
  ],
  rules,
  versionFields: new Set(),
}

function desiredNode(host: HostSpec, request: KubeadmRequest): ClusterRecord {
  const { spec, first, replaced } = request
  const { name } = host
  return {
    kind: 'node',
    name,
    spec: {
      role: nodeRole(host),
      membership: replaced.has(name) ? 'again' : 'member',
      labels: { ...host.labels },
      taints: taintsByKey(nodeTaints(spec, host)),
      patches: patchesDigest(spec) ?? 'none',
      kubelet: wantedKubelet(spec, host),
      ...certificatesField(request.found, name, request.now),
    },
    needs: needsOf(name, first),
  }
}

function needsOf(name: string, first: string | undefined): RecordKey[] {
  return [
    `host/${name}`,
    ...(first !== undefined && first !== name ? ([`node/${first}`] as const) : []),
  ]
}

function liveNode(host: HostSpec, request: KubeadmRequest): ClusterRecord[] {
  const { found, first } = request
  const { name } = host
  const seen = found.hosts.get(name)
  const standing = standingOf(found, name)
  if (seen === undefined || standing === 'none' || standing === 'begun') return []
  const isLost = standing === 'lost' || standing === 'leaving'
  return [
    {
      kind: 'node',
      name,
      spec: {
        role: runningRole(found, name) ?? nodeRole(host),
        membership: isLost ? standing : 'member',
        ...liveSettings(host, seen, request),
        kubelet: runningKubelet(request.spec, host, seen.traces),
        ...certificatesField(found, name),
      },
      needs: needsOf(name, first),
    },
  ]
}

/** What of a node's labels, taints and patches is ours; as asked for where nobody could see it. */
function liveSettings(host: HostSpec, seen: SeenHost, { spec, found }: KubeadmRequest): JsonObject {
  const node = seenNode(found, host.name)
  const given = knownNode(found, host.name)?.host?.given
  const wanted = nodeTaints(spec, host)
  const patches = seen.traces.patchesDigest ?? 'none'
  if (node === undefined)
    return { labels: { ...host.labels }, taints: taintsByKey(wanted), patches }
  const ownLabels = new Set([...Object.keys(host.labels), ...(given?.labels ?? [])])
  const ownTaints = new Set([
    ...[...wanted, controlPlaneTaint].map(taintKey),
    ...(given?.taints ?? []),
  ])
  return {
    labels: Object.fromEntries(Object.entries(node.labels).filter(([key]) => ownLabels.has(key))),
    taints: taintsByKey(node.taints.filter((taint) => ownTaints.has(taintKey(taint)))),
    patches,
  }
}

/** Whether a node that is there leaves and is made again. */
export function isReplaced(host: HostSpec, { found, replaced }: KubeadmRequest): boolean {
  return (
    replaced.has(host.name) ||
    ['lost', 'leaving'].includes(standingOf(found, host.name)) ||
    (runningRole(found, host.name) ?? nodeRole(host)) !== nodeRole(host)
  )
}

/**
 * Nodes of hosts that the file does not name any more, also of those that were not reached: the cluster can let a dead
 * one go without it. One that is Ready would register itself again, and stays until its host is reached.
 */
function leftNodes({ spec, found }: KubeadmRequest): ClusterRecord[] {
  const wanted = new Set(spec.hosts.map(({ name }) => name))
  return (found.inventory?.nodes ?? []).flatMap(({ name, role }) => {
    if (wanted.has(name) || !canBeForgotten(found, name)) return []
    const standing = standingOf(found, name)
    if (standing === 'none') return []
    return [
      {
        kind: 'node',
        name,
        spec: { role: runningRole(found, name) ?? role, membership: standing },
        needs: [`host/${name}`],
      },
    ]
  })
}

/** Whether the cluster may let the node of a host go: one that was reached, or that is dead. */
function canBeForgotten(found: FoundCluster, name: string): boolean {
  return found.hosts.has(name) || (found.cluster !== undefined && !seenNode(found, name)?.isReady)
}

function rules(request: KubeadmRequest): DiffRules {
  const { found, first } = request
  const isRunning = first === undefined
  const isControlPlane = ({ spec }: ClusterRecord) => spec['role'] === 'control-plane'
  return {
    create: (after) => ({
      risk: isRunning && isControlPlane(after) ? 'quorum' : 'additive',
      reason: describeJoin(after.name, isControlPlane(after), request),
    }),
    update: (before, after, fields) => {
      const reason = whyReplaced(before, after, standingOf(found, after.name), request)
      if (reason === undefined) return { action: 'update', ...describeUpdate(fields) }
      const touchesEtcd = isControlPlane(before) || isControlPlane(after)
      return { action: 'replace', risk: touchesEtcd ? 'quorum' : 'drain', reason }
    },
    delete: (before) => {
      const { name } = before
      if (isControlPlane(before)) {
        const reason = found.hosts.has(name)
          ? 'it leaves etcd and the cluster'
          : 'its host is not reached: its member leaves etcd, and its node is deleted'
        return { risk: 'quorum', reason }
      }
      return found.hosts.has(name)
        ? { risk: 'drain', reason: 'it is drained and leaves the cluster' }
        : { risk: 'drain', reason: 'its host is not reached: its node is deleted' }
    },
  }
}

function describeJoin(name: string, isControlPlane: boolean, request: KubeadmRequest): string {
  const { found, first } = request
  const traces = found.hosts.get(name)?.traces
  const hasRemains = traces !== undefined && (traces.hasKubeletConf || traces.caHash !== undefined)
  if (name === first) {
    return hasRemains
      ? 'kubeadm init was started on it and did not end: it is reset, and the cluster starts on it'
      : 'the cluster starts on it (kubeadm init)'
  }
  const joins = isControlPlane ? 'it joins as a member of etcd' : 'it joins'
  if (standingOf(found, name) === 'begun') return `a former join of it did not end: ${joins} again`
  return hasRemains ? `it is reset, since it was a node before, and ${joins.slice(3)}` : joins
}

function whyReplaced(
  { spec: before }: ClusterRecord,
  { spec: after, name }: ClusterRecord,
  standing: Standing,
  { replaced }: KubeadmRequest,
): string | undefined {
  const isMemberOfEtcd = before['role'] === 'control-plane'
  if (standing === 'lost') {
    return isMemberOfEtcd
      ? 'its host is not that node any more: its former member leaves etcd, and a new one joins'
      : 'its host is not that node any more: it joins again'
  }
  const asked = replaced.get(name)
  if (asked !== undefined) return `it joins again: ${asked}`
  if (before['role'] === after['role']) return undefined
  return isMemberOfEtcd ? 'it leaves etcd and joins as a worker' : 'it joins as a member of etcd'
}

/** What of a node an update is about: `patches`, `labels`. */
export function changedSettings(fields: readonly FieldChange[]): ReadonlySet<string> {
  return new Set(fields.map(({ path }) => path.replace(/\..*$/s, '')))
}

function describeUpdate(
  fields: readonly FieldChange[],
): Omit<ReturnType<DiffRules['update']>, 'action'> {
  const changed = changedSettings(fields)
  if (changed.has('kubelet')) {
    return { risk: 'drain', reason: 'it is drained, and its kubelet restarts with other settings' }
  }
  const certificates = fields.find(({ path }) => path === 'certificates')
  if (certificates !== undefined) {
    const end = String(certificates.before).replace('until ', '')
    const reason = `its certificates end on ${end}: they are renewed, and its components restart`
    return { risk: 'restart', reason }
  }
  if (changed.has('patches')) {
    return { risk: 'restart', reason: 'kubeadm writes its parts again, with other patches' }
  }
  return { risk: 'live', reason: 'its labels or taints are other ones' }
}
