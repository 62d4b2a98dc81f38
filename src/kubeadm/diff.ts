import type { Change } from '../plan/change.ts'
import { type DiffRules, diffRecords } from '../plan/diff-records.ts'
import type { ClusterRecord } from '../plan/record.ts'
import type { KubeadmRequest } from './kinds/kubeadm-kind.ts'
import { type KubeadmKindTable, kubeadmKinds } from './kinds/kubeadm-kinds.ts'

interface KubeadmComparison {
  readonly changes: readonly Change[]
  readonly desired: readonly ClusterRecord[]
  readonly live: readonly ClusterRecord[]
}

/** How hosts, nodes and what they share differ from what the spec asks for. Pure. */
export function compareKubeadm(
  request: KubeadmRequest,
  kinds: KubeadmKindTable = kubeadmKinds,
): KubeadmComparison {
  const all = Object.values(kinds)
  const desired = all.flatMap((kind) => kind.desire(request))
  const live = all.flatMap((kind) => kind.live(request))
  return { changes: diffKubeadm(desired, live, request, kinds), desired, live }
}

/** The changes that lead from records of these kinds to others. */
export function diffKubeadm(
  desired: readonly ClusterRecord[],
  live: readonly ClusterRecord[],
  request: KubeadmRequest,
  kinds: KubeadmKindTable = kubeadmKinds,
): Change[] {
  return diffRecords(desired, live, rulesOf(kinds, request))
}

function rulesOf(kinds: KubeadmKindTable, request: KubeadmRequest): DiffRules {
  const rules = new Map<string, DiffRules>(
    Object.values(kinds).map((kind) => [kind.name, kind.rules(request)]),
  )
  const of = ({ kind }: ClusterRecord) => {
    const found = rules.get(kind)
    if (!found) throw new Error(`kubeadm has no ${kind}`)
    return found
  }
  return {
    create: (after) => of(after).create(after),
    update: (before, after, fields) => of(after).update(before, after, fields),
    delete: (before) => of(before).delete(before),
  }
}
