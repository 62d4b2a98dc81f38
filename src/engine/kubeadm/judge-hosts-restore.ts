import type { VerifiedSnapshot } from '../../backup/verified-snapshot.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import { mayBeNewer } from '../../planner/etcd-beginning.ts'
import type { HostsView } from '../../planner/kubeadm/hosts-view.ts'
import { restoredHosts } from '../../planner/kubeadm/plan-restore.ts'
import { type RestorePlan, recoveryBegun } from '../../planner/restore-plan.ts'
import { clusterUnknown } from '../../run/cluster-unknown.ts'
import type { HostsSession } from '../../run/kubeadm/hosts-session.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import { refuseUnlost } from '../refuse-unlost.ts'
import { type SeenEtcd, sourceOf } from './etcd-source.ts'
import { lookAtControlPlanes } from './look-at-control-planes.ts'

interface JudgeInput {
  readonly session: HostsSession
  readonly view: HostsView
  readonly snapshot: VerifiedSnapshot
  readonly discardEtcd: boolean
}

const aboutSilent =
  'See that it answers, or take it out of hosts in the cluster file if its machine is gone for good: make sure then that it never starts again.'

/**
 * Asks every control plane what it holds of etcd, and refuses what is not lost. Throws `etcd-alive`, and `etcd-unhealthy`
 * where none of them has all that etcd and an API server start with.
 */
export async function judgeHostsRestore(
  context: RunContext,
  { session, view, snapshot, discardEtcd }: JudgeInput,
): Promise<Pick<RestorePlan, 'wipes' | 'alive' | 'newer' | 'resumes'>> {
  const { generation } = view
  if (!generation) throw clusterUnknown(session.spec, 'restore')
  const { there, silent, beginning } = restoredHosts(view)
  const seen = await runPhase(
    context.progress,
    'Look at etcd',
    () => lookAtControlPlanes(session, view, there),
    (all) => all.map((one) => `${one.name}: ${conditionOf(one)}`).join(', ') || 'none',
  )
  const begun = recoveryBegun(generation.journal, snapshot.digest)
  const having = seen.filter((one) => conditionOf(one) !== 'empty')
  const resumes = having.some(({ name }) => name === begun)
  const wiped = resumes ? [] : having
  const newer = wiped.filter((one) =>
    mayBeNewer(sourceOf(one), snapshot.metadata, generation.journal),
  )
  const names = (all: readonly SeenEtcd[]) => all.map(({ name }) => name)
  const judged = [
    ...silent.map((name) => ({ name, condition: 'unreachable' })),
    ...seen.map((one) => ({ name: one.name, condition: conditionOf(one) })),
  ]
  refuseUnlost(judged, { resumes, discardEtcd, newer: names(newer), aboutSilent })
  beginningOf(seen, beginning, { begun, resumes })
  return {
    wipes: names(wiped),
    alive: names(wiped.filter((one) => conditionOf(one) === 'alive')),
    newer: names(newer),
    resumes,
  }
}

/** `alive`: a member that sees a leader, so its cluster goes on; `data`: a member of one that does not; `empty`: none. */
function conditionOf({ look: { status, database } }: SeenEtcd): 'alive' | 'data' | 'empty' {
  if (status?.hasLeader) return 'alive'
  return status === undefined && database === undefined ? 'empty' : 'data'
}

/**
 * The control plane on which etcd begins with the snapshot: the one on which a former run began it, and no other where its
 * data is there; else the first that has all that it starts with. Throws `etcd-unhealthy` with what each of them lacks.
 */
export function beginningOf(
  seen: readonly SeenEtcd[],
  beginning: readonly string[],
  { begun, resumes }: { readonly begun: string | undefined; readonly resumes: boolean },
): SeenEtcd {
  const able = seen.filter(({ name }) => (resumes ? name === begun : beginning.includes(name)))
  const complete = able.filter(({ look }) => look.missing.length === 0)
  const chosen = complete.find(({ name }) => name === begun) ?? complete[0]
  if (chosen) return chosen
  const lacks = able.map(({ name, look: { missing } }) => `${name} lacks ${missing.join(', ')}`)
  throw new ClusterError(
    'etcd-unhealthy',
    `no control plane has all that etcd and the API server start with: ${lacks.join('; ')}`,
    {
      operation: 'restore etcd',
      hint: 'Put these files back on one of them: certificates of its own are made by `kubeadm init phase certs` there, kubeconfigs by `kubeadm init phase kubeconfig`, manifests by `kubeadm init phase control-plane` and `kubeadm init phase etcd`; then run again.',
    },
  )
}
