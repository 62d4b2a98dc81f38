import { formatPlace, parsePlace } from '../../backup/snapshot-place.ts'
import { carryOutRestore } from '../../engine/hetzner-talos/carry-out-restore.ts'
import { findNewerData } from '../../engine/hetzner-talos/find-newer-data.ts'
import {
  judgeControlPlanes,
  refuseUnlost,
} from '../../engine/hetzner-talos/judge-control-planes.ts'
import { openSnapshot, type VerifiedSnapshot } from '../../engine/open-snapshot.ts'
import { findMadeSince } from '../../hetzner/find-made-since.ts'
import { refuseErrors } from '../../lib/findings-error.ts'
import { makePlan } from '../../plan/plan.ts'
import type { ClusterView } from '../../planner/hetzner-talos/cluster-view.ts'
import { configuredNodes } from '../../planner/hetzner-talos/cluster-view.ts'
import { guardCluster, guardNewNodes } from '../../planner/hetzner-talos/guard-cluster.ts'
import { guardFixedSettings } from '../../planner/hetzner-talos/guard-fixed-settings.ts'
import { planApply } from '../../planner/hetzner-talos/plan-apply.ts'
import {
  missingParts,
  type RestorePlan,
  recoveryBegun,
} from '../../planner/hetzner-talos/plan-restore.ts'
import { dueUntil } from '../../planner/hetzner-talos/renew-authorities.ts'
import type { ClusterFile } from '../../run/cluster-file.ts'
import { clusterUnknown } from '../../run/cluster-unknown.ts'
import { anchored } from '../../run/hetzner-talos/anchor-state.ts'
import { ClusterReach } from '../../run/hetzner-talos/cluster-reach.ts'
import { type ClusterSession, openSession } from '../../run/hetzner-talos/cluster-session.ts'
import { observeCluster } from '../../run/hetzner-talos/observe-cluster.ts'
import { readSecrets } from '../../run/hetzner-talos/read-secrets.ts'
import { requireRights } from '../../run/hetzner-talos/require-rights.ts'
import { openTemporaryRule } from '../../run/hetzner-talos/temporary-rule.ts'
import { lockCluster } from '../../run/lock-cluster.ts'
import { refuseReplayed } from '../../run/refuse-replayed.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import { secretFindings } from '../../run/secret-findings.ts'
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
 * servers recreated where they are gone, with the secrets of the state branch. Its steps are those of
 * Talos's disaster recovery. Nothing is touched before the snapshot was read to its end and every control
 * plane was asked; killed at any instruction and run again, it goes on. Throws `snapshot-…`, `etcd-alive`,
 * `cluster-unknown`, `wait-timeout`, `run-outdated` for a re-run that would do it again.
 */
export async function restoreCluster(
  context: RunContext,
  input: RestoreInput,
): Promise<RestoreResult> {
  await using session = await openSession(context, input.file)
  await lockCluster(context, session)
  const { spec, store } = session
  const { progress } = context
  const view = await observe(context, session)
  if (!view.generation) throw clusterUnknown(spec, 'restore')
  const { generation } = view
  refuseReplayed(context, generation.journal, restoring)
  const authority = async () => (await readSecrets(context, store, spec.clusterName)).certs.k8s.crt
  const snapshot = await runPhase(
    progress,
    'Verify the snapshot',
    () => openSnapshot(context, { spec, generation, authority }, input.snapshot),
    ({ metadata, size }) =>
      `${metadata ? `of ${metadata.node} at ${metadata.takenAt}` : 'a plain one'}, ${size} bytes`,
  )
  warnOlderKubernetes(context, view, snapshot)
  const creates = missingParts(view)
  const now = context.calendar.now()
  const findings = [
    // What the cluster was born with is in the snapshot too: nothing brings it to another value.
    ...guardFixedSettings(view),
    ...guardNewNodes(view, creates),
    ...guardCluster(withoutEtcd(view), creates, { now, restores: true }),
  ]
  const { text, path } = input.file
  refuseErrors(
    'plan-refused',
    [...locateFindings(text, findings), ...secretFindings(view, input.file)],
    path,
  )
  await requireRights(context, session, view, { plan: applyPlan(view, creates) })

  await using _rule = await openTemporaryRule(context, view, session, input)
  using reach = new ClusterReach(context, store, view)
  // A server whose creation was cut short is off and never had a config: it has no etcd to ask about.
  for (const { action, after } of creates) {
    if (action === 'create' && after?.kind === 'server') reach.exclude(after.name)
  }
  const judged = await judgeControlPlanes(context, reach)
  const begun = recoveryBegun(generation.journal, snapshot.digest)
  const resumes = judged.some(
    ({ name, condition }) => name === begun && (condition === 'alive' || condition === 'data'),
  )
  const having = judged.filter(({ condition }) => condition === 'alive' || condition === 'data')
  const wipes = resumes ? [] : having.map(({ name }) => name)
  const newer = await findNewerData(reach, wipes, { metadata: snapshot.metadata, generation })
  refuseUnlost(judged, { resumes, discardEtcd: input.discardEtcd, newer })
  const takenAt = snapshot.metadata && Date.parse(snapshot.metadata.takenAt)
  const plan: RestorePlan = {
    clusterName: spec.clusterName,
    place: formatPlace(parsePlace(input.snapshot)),
    metadata: snapshot.metadata,
    digest: snapshot.digest,
    creates,
    wipes,
    alive: resumes ? [] : judged.flatMap((n) => (n.condition === 'alive' ? [n.name] : [])),
    newer,
    takenMsAgo: takenAt === undefined ? undefined : context.calendar.now() - takenAt,
    madeSince: takenAt === undefined || resumes ? [] : await madeSince(session, view, takenAt),
    resumes,
    // Where a node is left it runs with the former ones, and an apply renews them.
    renews: configuredNodes(view).length === 0 ? dueUntil(generation, now) : undefined,
  }
  if (!(await input.confirm(plan))) return { plan, restored: false, left: creates.length }
  await anchored(session, view, () =>
    carryOutRestore({ context, session, former: view, plan, snapshot }),
  )
  const last = await observe(context, session)
  const left = planApply(last, { now: context.calendar.now() }).changes.length
  return { plan, restored: true, left }
}

/** What Kubernetes will not know of, when it goes back to that moment. */
function madeSince(
  { hetzner }: ClusterSession,
  { spec, generation, hetzner: { ids } }: ClusterView,
  since: number,
): Promise<string[]> {
  const serverIds = [...ids].flatMap(([key, id]) => (key.startsWith('server/') ? [id] : []))
  const ownNetwork = ids.get(`network/${spec.clusterName}`)
  const place = {
    networkId: ownNetwork ?? ids.get(`network/${spec.hetzner.network ?? ''}`),
    networkIsOurs: ownNetwork !== undefined,
    serverIds: new Set(serverIds),
  }
  return findMadeSince(hetzner, { uid: generation?.inventory.uid ?? '', place, since })
}

function observe(context: RunContext, session: ClusterSession): Promise<ClusterView> {
  return runPhase(context.progress, 'Look at what is there', () =>
    observeCluster(session.spec, session.store, session.hetzner),
  )
}

function applyPlan(view: ClusterView, changes: RestorePlan['creates']) {
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
  { spec }: ClusterView,
  { metadata }: VerifiedSnapshot,
): void {
  const minor = (version: string) => Number(version.replace(/^v/, '').split('.')[1])
  if (!metadata || minor(metadata.kubernetesVersion) <= minor(spec.kubernetes.version)) return
  progress.warn(
    `the snapshot is of Kubernetes ${metadata.kubernetesVersion}, and the file asks for ${spec.kubernetes.version}: objects of newer APIs may not be readable`,
  )
}

/** What guards a living etcd must not stand in the way of one that is lost. */
function withoutEtcd(view: ClusterView): ClusterView {
  const { generation } = view
  if (!generation) return view
  const inventory = { ...generation.inventory, bootstrapped: false }
  return { ...view, generation: { ...generation, inventory } }
}
