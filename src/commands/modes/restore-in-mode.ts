import { formatPlace, parsePlace } from '../../backup/snapshot-place.ts'
import type { VerifiedSnapshot } from '../../backup/verified-snapshot.ts'
import { openSnapshot } from '../../engine/open-snapshot.ts'
import { refuseErrors } from '../../lib/findings-error.ts'
import { makePlan } from '../../plan/plan.ts'
import type { KnownCluster } from '../../planner/known-cluster.ts'
import type { RestorePlan } from '../../planner/restore-plan.ts'
import { anchorAfter } from '../../run/anchor-after.ts'
import type { ClusterFile } from '../../run/cluster-file.ts'
import { clusterUnknown } from '../../run/cluster-unknown.ts'
import { lockCluster } from '../../run/lock-cluster.ts'
import type { BackedUpMode } from '../../run/mode/cluster-mode.ts'
import { refuseReplayed } from '../../run/refuse-replayed.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import { secretFindings } from '../../run/secret-findings.ts'
import type { StateSession } from '../../run/state-session.ts'
import { locateFindings } from '../../spec/yaml/locate-findings.ts'

export interface RestoreInput {
  readonly file: ClusterFile
  /** A file, or `s3://bucket/key`. */
  readonly snapshot: string
  /** Goes back to the snapshot although etcd is alive, or holds newer data. */
  readonly discardEtcd: boolean
  /** Shown what is about to be done; false ends the run without a change. */
  readonly confirm: (plan: RestorePlan) => Promise<boolean>
  /** Leaves the way in for this run's address open, for the job's next steps: somebody closes it later. */
  readonly keepRule?: boolean
}

export interface RestoreResult {
  readonly plan: RestorePlan
  readonly restored: boolean
  /** How many changes an apply would still make. */
  readonly left: number
}

const restoring = {
  title: 'a restore',
  begun: ['restore-started', 'etcd-wipe-started', 'etcd-recover-started'],
  finished: ['etcd-recovered'],
} as const

/**
 * Brings a whole cluster back whose etcd is lost, from a snapshot: on the servers that are there, and on
 * servers recreated where they are gone, with the secrets of the state branch. Nothing is touched before the snapshot was read to its end and every control
 * plane was asked; killed at any instruction and run again, it goes on. Throws `snapshot-…`, `etcd-alive`,
 * `cluster-unknown`, `wait-timeout`, `run-outdated` for a re-run that would do it again.
 */
export async function restoreInMode<S extends StateSession, V extends KnownCluster>(
  mode: BackedUpMode<S, V>,
  context: RunContext,
  input: RestoreInput,
): Promise<RestoreResult> {
  const { machines, nodes, life, backup } = mode
  await using session = await mode.open(context, input.file)
  await lockCluster(context, session)
  const { spec } = session
  const { progress } = context
  const view = await observe(mode, context, session)
  const { generation } = view
  if (!generation) throw clusterUnknown(spec, 'restore')
  refuseReplayed(context, generation.journal, restoring)
  const authority = () => backup.authority(context, session)
  const snapshot = await runPhase(
    progress,
    'Verify the snapshot',
    () => openSnapshot(context, { spec, generation, authority }, input.snapshot),
    ({ metadata, size }) =>
      `${metadata ? `of ${metadata.node} at ${metadata.takenAt}` : 'a plain one'}, ${size} bytes`,
  )
  warnOlderKubernetes(context, view, snapshot)
  const now = context.calendar.now()
  const { creates, findings } = backup.planRestore(view, { now })
  const { text, path } = input.file
  refuseErrors(
    'plan-refused',
    [...locateFindings(text, findings), ...secretFindings(view, input.file)],
    path,
  )
  await machines.requireRights(context, session, view, { plan: applyPlan(view, creates) })

  await using access = nodes.access(context, session, input)
  await access.open(view)
  const { discardEtcd } = input
  const wanted = { now, snapshot, creates, discardEtcd }
  const judged = await backup.judgeRestore(context, { session, view }, wanted)
  const takenAt = snapshot.metadata && Date.parse(snapshot.metadata.takenAt)
  const plan: RestorePlan = {
    clusterName: spec.clusterName,
    place: formatPlace(parsePlace(input.snapshot)),
    metadata: snapshot.metadata,
    digest: snapshot.digest,
    creates,
    takenMsAgo: takenAt === undefined ? undefined : context.calendar.now() - takenAt,
    ...judged,
  }
  if (!(await input.confirm(plan))) return { plan, restored: false, left: creates.length }
  await anchorAfter(
    () => machines.anchor(session, view),
    () => backup.restore(context, { session, former: view, plan, snapshot }),
  )
  const last = await observe(mode, context, session)
  const left = life.planApply(last, { now: context.calendar.now() }).changes.length
  return { plan, restored: true, left }
}

function observe<S extends StateSession, V extends KnownCluster>(
  { machines }: Pick<BackedUpMode<S, V>, 'machines'>,
  { progress }: RunContext,
  session: S,
): Promise<V> {
  return runPhase(progress, 'Look at what is there', () => machines.observe(session))
}

function applyPlan(view: KnownCluster, changes: RestorePlan['creates']) {
  const { spec, generation } = view
  return makePlan({
    clusterName: spec.clusterName,
    verb: 'apply',
    changes,
    desired: [],
    live: [],
    findings: [],
    uid: generation?.inventory.uid,
  })
}

/** An API server reads what a newer one wrote only as far as it knows it. */
function warnOlderKubernetes(
  { progress }: RunContext,
  { spec }: KnownCluster,
  { metadata }: VerifiedSnapshot,
): void {
  const minor = (version: string) => Number(version.replace(/^v/, '').split('.')[1])
  if (!metadata || minor(metadata.kubernetesVersion) <= minor(spec.kubernetes.version)) return
  progress.warn(
    `the snapshot is of Kubernetes ${metadata.kubernetesVersion}, and the file asks for ${spec.kubernetes.version}: objects of newer APIs may not be readable`,
  )
}
