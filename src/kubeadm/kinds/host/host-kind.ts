import type { Risk } from '../../../plan/change.ts'
import { worstRisk } from '../../../plan/change.ts'
import type { DiffRules } from '../../../plan/diff-records.ts'
import type { ClusterRecord } from '../../../plan/record.ts'
import type { HostSpec } from '../../../spec/hosts/hosts-spec.ts'
import { isMember, knownNode, runningKubernetes, standingOf } from '../../cluster/found-cluster.ts'
import { failedChecks } from '../../host/failed-checks.ts'
import type { HostEvidence } from '../../host/host-evidence.ts'
import { hostPhase } from '../../host/host-phase.ts'
import type { SeenHost } from '../../host/seen-host.ts'
import type { KubeadmKind, KubeadmRequest } from '../kubeadm-kind.ts'
import { containerdVersionChecks, kubernetesVersionChecks, riskOnNode } from './check-effects.ts'

/**
 * A machine with what is installed and set on it. Its machine id is its identity. A host that was not reached is in
 * neither list: nothing is changed on what nobody can look at.
 */
export const hostKind: KubeadmKind = {
  name: 'host',
  desire: (request) =>
    request.spec.hosts.flatMap((host) => {
      const seen = request.found.hosts.get(host.name)
      return seen ? [desiredHost(host, seen, request)] : []
    }),
  live: (request) =>
    (request.found.inventory?.nodes ?? []).flatMap(({ name }) => liveHost(name, request)),
  rules,
  versionFields: new Set(['containerd']),
}

function desiredHost(host: HostSpec, seen: SeenHost, request: KubeadmRequest): ClusterRecord {
  const failed = heldChecks(seen, request).byApply
  return {
    kind: 'host',
    name: host.name,
    spec: {
      role: nodeRole(host),
      machineId: seen.machineId || (knownNode(request.found, host.name)?.host?.machineId ?? ''),
      phase: 'kubeadm_ready',
      checks: Object.fromEntries(failed.map(({ check }) => [check, 'passed'])),
      ...containerdField(seen, request, request.goal),
      ...replacedField(host.name, request, 'prepared'),
    },
    needs: [],
  }
}

function liveHost(name: string, request: KubeadmRequest): ClusterRecord[] {
  const { spec, found } = request
  const known = knownNode(found, name)
  const seen = found.hosts.get(name)
  if (seen === undefined || known?.host?.machineId === undefined) return []
  const isWanted = spec.hosts.some((host) => host.name === name)
  // Another machine under the name of one that is to go was never ours.
  if (!isWanted && seen.machineId !== known.host.machineId) return []
  const failed = heldChecks(seen, request)
  return [
    {
      kind: 'host',
      name,
      spec: {
        role: known.role,
        machineId: known.host.machineId,
        phase: failed.byApply.length === 0 ? 'kubeadm_ready' : hostPhase(judged(seen, request)),
        checks: Object.fromEntries(failed.byApply.map(({ check, seen: text }) => [check, text])),
        ...containerdField(seen, request, 'running'),
        ...replacedField(name, request, 'leaves'),
        ...(!isWanted && { onRemove: known.host.onRemove }),
      },
      needs: [],
    },
  ]
}

/** A host of GPUs is a worker to the cluster. */
export function nodeRole({ role }: Pick<HostSpec, 'role'>): 'control-plane' | 'worker' {
  return role === 'control-plane' ? 'control-plane' : 'worker'
}

/** What failed on a host, but for what an upgrade makes true. */
export function heldChecks(seen: SeenHost, request: Pick<KubeadmRequest, 'spec' | 'found'>) {
  return failedChecks(judged(seen, request))
}

/** The evidence that is judged: what is unknown has not failed, and what waits for an upgrade is another change. */
function judged(
  seen: SeenHost,
  { spec, found }: Pick<KubeadmRequest, 'spec' | 'found'>,
): HostEvidence[] {
  if (!isMember(found, seen.name)) return [...seen.evidence]
  const { kubeadm, kubelet, containerd } = seen.traces.versions
  const isOther = (one: string | undefined, wanted: string | undefined) =>
    wanted !== undefined && one !== wanted
  const running = runningKubernetes(found)
  const waits = new Set<string>([
    ...([kubeadm, kubelet, running].some((one) => isOther(one, spec.kubernetes.version))
      ? kubernetesVersionChecks
      : []),
    ...(isOther(containerd, spec.kubeadm.runtime.version) ? containerdVersionChecks : []),
  ])
  return seen.evidence.filter(({ check }) => !waits.has(check))
}

/** Only where pods run on it: on another host it is one check of many. */
function containerdField(
  { name, traces }: SeenHost,
  { spec, found }: KubeadmRequest,
  goal: KubeadmRequest['goal'],
) {
  const wanted = spec.kubeadm.runtime.version
  const running = traces.versions.containerd
  if (wanted === undefined || running === undefined || !isMember(found, name)) return {}
  if (!spec.hosts.some((host) => host.name === name)) return {}
  return { containerd: goal === 'spec' ? wanted : running }
}

function replacedField(name: string, { replaced, spec }: KubeadmRequest, value: string) {
  const isWanted = spec.hosts.some((host) => host.name === name)
  return isWanted && replaced.has(name) ? { replacement: value } : {}
}

function rules(request: KubeadmRequest): DiffRules {
  return {
    create: () => ({ risk: 'additive', reason: 'it is prepared for kubeadm' }),
    update: (before, after, fields) => {
      const paths = new Set(fields.map(({ path }) => path))
      const { name } = after
      const isNode = isMember(request.found, name)
      const replaced = whyReplaced(before, after, request)
      if (replaced !== undefined) {
        const isMemberOfEtcd = before.spec['role'] === 'control-plane' && isNode
        return {
          action: 'replace',
          risk: isMemberOfEtcd ? 'quorum' : 'replace',
          reason: replaced,
        }
      }
      if (paths.has('containerd')) {
        const reason = 'it is drained, and its containerd restarts in another version'
        return { action: 'update', risk: 'drain', reason }
      }
      const seen = request.found.hosts.get(name)
      const failed = seen ? heldChecks(seen, request).byApply : []
      const risk: Risk = isNode ? (worstRisk(failed.map(riskOnNode)) ?? 'live') : 'live'
      return { action: 'update', risk, reason: describeUpdate(failed.length, risk) }
    },
    delete: ({ spec: { onRemove } }) => {
      switch (onRemove) {
        case 'purge':
          return {
            risk: 'data-loss',
            reason:
              'it is reset, and packages of Kubernetes and containerd are removed with their data',
          }
        case 'reset':
          return { risk: 'drain', reason: 'what kubeadm did on it is undone' }
        default:
          return { risk: 'live', reason: 'it is left as it is, and forgotten' }
      }
    },
  }
}

/** Why a host leaves the cluster and comes back as another node; undefined where it stays. */
function whyReplaced(
  { spec: before }: ClusterRecord,
  { spec: after, name }: ClusterRecord,
  { replaced, found }: KubeadmRequest,
): string | undefined {
  if (before['machineId'] !== after['machineId']) {
    return 'another machine has its name: the former one leaves the cluster'
  }
  const asked = replaced.get(name)
  if (asked !== undefined) return `it leaves the cluster, is reset and joins again: ${asked}`
  if (before['role'] === after['role']) return undefined
  return standingOf(found, name) === 'none'
    ? undefined
    : `it leaves the cluster as a ${before['role']}, is reset and joins as a ${after['role']}`
}

function describeUpdate(failed: number, risk: Risk): string {
  if (failed === 0) return 'what the state records of it is brought up to date'
  const what = failed === 1 ? 'a check of it fails' : `${failed} checks of it fail`
  return risk === 'drain' ? `${what}: it is drained while that is fixed` : `${what}: that is fixed`
}
