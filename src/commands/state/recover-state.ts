import { carrySecrets, readCarried } from '../../engine/hetzner-talos/carry-secrets.ts'
import { readLostCluster } from '../../engine/hetzner-talos/read-lost-cluster.ts'
import { readLostNodes } from '../../engine/hetzner-talos/read-lost-nodes.ts'
import { recoverAddons } from '../../engine/hetzner-talos/recover-addons.ts'
import { type ClusterError, isClusterError } from '../../lib/cluster-error.ts'
import type { Plan } from '../../plan/plan.ts'
import { planApply } from '../../planner/hetzner-talos/plan-apply.ts'
import { recordCluster } from '../../planner/hetzner-talos/record-cluster.ts'
import type { ClusterFile } from '../../run/cluster-file.ts'
import { anchorState } from '../../run/hetzner-talos/anchor-state.ts'
import { type ClusterSession, openSession } from '../../run/hetzner-talos/cluster-session.ts'
import { observeCluster } from '../../run/hetzner-talos/observe-cluster.ts'
import { impossible, openWayIn, type WayIn } from '../../run/hetzner-talos/recovery-way-in.ts'
import { requireClock } from '../../run/hetzner-talos/require-clock.ts'
import { openTemporaryRuleOf } from '../../run/hetzner-talos/temporary-rule.ts'
import { lockCluster } from '../../run/lock-cluster.ts'
import { appliedSpec } from '../../run/plan-records.ts'
import { furthest, type PresentState, readPresentState } from '../../run/present-state.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import { withSecretVersions } from '../../spec/secret-references.ts'
import type { Generation } from '../../store/generation.ts'
import type { StateChanges } from '../../store/state-changes.ts'
import type { StateStore } from '../../store/state-store.ts'
import type { StateAudit } from '../../store/trust/audit-state.ts'
import { isOlder, type StateAnchor } from '../../store/trust/refuse-older.ts'
import { secretLeaves } from '../../talos/config/secrets-bundle.ts'
import { formatSecretsBundle } from '../../talos/config/secrets-bundle-yaml.ts'

export interface RecoverInput {
  readonly file: ClusterFile
  readonly wayIn: WayIn
  /** Takes the place of a state that no repair leads back to, or that no identity opens any more. */
  readonly replaces?: boolean | undefined
}

export interface RecoveredState {
  readonly generation: number
  readonly nodes: readonly string[]
  /** What an apply would do now: nothing, where the cluster is as the file asks for it. */
  readonly plan: Plan
}

/**
 * Recreates the state of a cluster whose branch is lost, while the cluster runs: its secrets out of the
 * machine config of a control plane, its nodes and their slots from the labels at Hetzner, configs and
 * versions from the nodes. Nothing of the cluster is changed. The new state is signed by this run and goes on
 * behind the generation that Hetzner, or a signature on the branch, remembers. Where any part cannot be read nothing is written: unknown is
 * not absent. Throws `recovery-impossible`, `state-rolled-back` and what reading the nodes throws.
 */
export async function recoverState(
  context: RunContext,
  { file, wayIn, replaces = false }: RecoverInput,
): Promise<RecoveredState> {
  // Taking a state's place seals everything for today's recipients, whoever read it before.
  await using session = await openSession(context, file, { dropsRecipients: replaces })
  await lockCluster(context, session)
  const { spec, store } = session
  const present = await readPresentState(store)
  if (!replaces) refuseState(spec, present)
  const lost = await runPhase(
    context.progress,
    'Look at what is there',
    () => readLostCluster(session),
    ({ uid, inventory }) => `uid ${uid}, ${inventory.nodes.length} nodes`,
  )
  const { anchor } = lost.view.hetzner
  const audit = present.kind === 'damaged' ? present.audit : await store.audit()
  const known = furthest([anchor, audit.signedUpTo])
  const former = formerOf(present, audit, lost.uid)
  if (replaces) await refuseRepairable(session, present, { audit, known, former })
  requireClock(context, session.hetzner)
  const credentials = await openWayIn(context, wayIn)
  await using _rule = await openTemporaryRuleOf(context, lost.uid, session)
  const isCurrent = former && !(known && former.manifest.keyEpoch < known.keyEpoch)
  const carried = await readCarried(context, session, isCurrent ? former : undefined)
  const view = { ...lost.view, spec: withSecretVersions(spec, carried.versions) }
  const running = await runPhase(context.progress, 'Read the nodes', (phase) =>
    readLostNodes(context, { ...lost, view }, { credentials, named: carried.named }, phase),
  )
  const { secrets, inventory, nodeConfigs } = running
  for (const leaf of secretLeaves(secrets)) context.redactor.add(leaf)
  // It is written before etcd begins: a new etcd must not take the place of one that was lost.
  if (anchor && !inventory.bootstrapped) {
    context.progress.warn('no control plane has data of etcd: restore a snapshot next')
  }
  const addons = inventory.bootstrapped
    ? await recoverAddons(context, view, { secrets, uid: lost.uid })
    : {}
  const bootstrapped = inventory.bootstrapped || Boolean(anchor)
  const changes = {
    ...(await carrySecrets(context, { ...inventory, addons, bootstrapped }, carried)),
    secrets: formatSecretsBundle(secrets),
    nodeConfigs,
    facts: [{ fact: 'state-recovered', detail: { after: String(known?.generation ?? 0) } }],
    lost: known,
  } as const satisfies StateChanges
  const message = `Recover the state of ${spec.clusterName}`
  const generation = replaces
    ? await store.startOver(audit, changes, message)
    : await store.update(() => changes, message)
  if (!generation) throw moved()
  return await finish(context, session, generation)
}

async function finish(
  context: RunContext,
  session: ClusterSession,
  { manifest, inventory }: Generation,
): Promise<RecoveredState> {
  const { spec, store, hetzner } = session
  const view = await observeCluster(spec, store, hetzner)
  await anchorState(session, view)
  const plan = planApply(view, { now: context.calendar.now() })
  if (plan.changes.length === 0) {
    await store.update(
      () => ({
        inventory: recordCluster(inventory, view),
        applied: appliedSpec(spec, context.run),
      }),
      'Note what is applied',
    )
    await anchorState(session, view)
  }
  const nodes = inventory.nodes.map(({ name }) => name)
  return { generation: manifest.generation, nodes, plan }
}

/** A state that is there, however bad, is repaired from the history of its branch, which knows more than the nodes. */
function refuseState({ state: { branch } }: ClusterSpec, present: PresentState): void {
  if (present.kind === 'absent') return
  if (present.kind === 'believed') {
    throw impossible(
      'there is a state of this cluster, and nothing to recover',
      'Continue with it: `hcloud-talos plan`. Only if no identity is left that opens it, run this again with `--replace-state`.',
    )
  }
  const { error } = present
  throw impossible(
    `there is a state, and it is damaged (${error.code})`,
    `Run \`hcloud-talos repair\`: it brings the branch ${branch} back to its newest good generation, which knows more than the cluster does. Only if that finds none, and no copy is left anywhere, run this again with \`--replace-state\`: it takes this cluster off the branch, and leaves other clusters and the history alone.`,
    error,
  )
}

/** The newest that the branch has, or had, of this very cluster; one of the same name that was destroyed before is none. */
function formerOf(
  present: PresentState,
  { newest, ended }: StateAudit,
  uid: string,
): Generation | undefined {
  const former = present.kind === 'believed' ? present.generation : (newest ?? ended)
  return former?.manifest.uid === uid ? former : undefined
}

interface KnownPast {
  readonly audit: StateAudit
  readonly known: StateAnchor | undefined
  readonly former: Generation | undefined
}

/** The place of a state is taken only where a repair would lose something, is refused, or leads to what nobody opens. */
async function refuseRepairable(
  { spec: { clusterName }, store }: ClusterSession,
  present: PresentState,
  { audit: { isPartlyUnreadable }, known, former }: KnownPast,
): Promise<void> {
  if (present.kind === 'damaged' && isPartlyUnreadable) throw present.error
  if (!former || (known && isOlder(former, known)) || !(await opens(store, former))) return
  throw impossible(
    `generation ${former.manifest.generation} of ${clusterName} is on the branch, and as new as any that is known`,
    present.kind === 'believed'
      ? 'Continue with it: `hcloud-talos plan`.'
      : 'Run `hcloud-talos repair`: it continues from there, and loses nothing.',
  )
}

/** Whether an identity of this run opens a state. */
async function opens(store: StateStore, generation: Generation): Promise<boolean> {
  try {
    await store.readSecrets(generation)
    return true
  } catch (error) {
    if (!isClusterError(error, 'state-undecryptable')) throw error
    return false
  }
}

function moved(): ClusterError {
  return impossible(
    'the state branch moved while this was looked at',
    'Run the same command again.',
  )
}
