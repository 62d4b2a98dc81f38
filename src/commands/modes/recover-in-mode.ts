import { type ClusterError, isClusterError } from '../../lib/cluster-error.ts'
import type { KnownCluster } from '../../planner/known-cluster.ts'
import type { ClusterFile } from '../../run/cluster-file.ts'
import { lockCluster } from '../../run/lock-cluster.ts'
import type { ClusterMode } from '../../run/mode/cluster-mode.ts'
import type { WayIn } from '../../run/mode/cluster-recovery.ts'
import { furthest, type PresentState, readPresentState } from '../../run/present-state.ts'
import { recoveryImpossible } from '../../run/recovery-impossible.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import type { StateSession } from '../../run/state-session.ts'
import type { CommonSpec } from '../../spec/common-spec.ts'
import type { Generation } from '../../store/generation.ts'
import type { StateStore } from '../../store/state-store.ts'
import type { StateAudit } from '../../store/trust/audit-state.ts'
import { isOlder, type StateAnchor } from '../../store/trust/refuse-older.ts'
import { type FoundState, finishFoundState } from './finish-found-state.ts'

export interface RecoverInput {
  readonly file: ClusterFile
  /** What leads into the nodes, in a mode that needs it. */
  readonly wayIn?: WayIn | undefined
  /** Takes the place of a state that no repair leads back to, or that no identity opens any more. */
  readonly replaces?: boolean | undefined
}

/**
 * Recreates the state of a cluster whose branch is lost, while the cluster runs: secrets, nodes and their slots, configs
 * and versions out of the cluster and from whoever makes its machines. Nothing of the cluster is changed. The new state
 * is signed by this run and goes on behind the generation that the provider, or a signature on the branch, remembers.
 * Where any part cannot be read nothing is written: unknown is not absent. Throws `usage`, `recovery-impossible`,
 * `state-rolled-back` and what reading the nodes throws.
 */
export async function recoverInMode<S extends StateSession, V extends KnownCluster>(
  mode: ClusterMode<S, V>,
  context: RunContext,
  { file, wayIn, replaces = false }: RecoverInput,
): Promise<FoundState> {
  const { machines, recovery } = mode
  recovery.requireWayIn(wayIn)
  // Taking a state's place seals everything for today's recipients, whoever read it before.
  await using session = await mode.open(context, file, { dropsRecipients: replaces })
  // The provider is to remember the new state: what it does not let this run write down is known before anything is.
  await machines.requireWrite(session)
  await lockCluster(context, session)
  const { spec, store } = session
  const present = await readPresentState(store)
  if (!replaces) refuseState(spec, present)
  const lost = await runPhase(
    context.progress,
    'Look at what is there',
    () => recovery.find(session),
    ({ uid, inventory }) => `uid ${uid}, ${inventory.nodes.length} nodes`,
  )
  const audit = present.kind === 'damaged' ? present.audit : await store.audit()
  const known = furthest([machines.anchorOf(lost.view), audit.signedUpTo])
  const former = formerOf(present, audit, lost.uid)
  if (replaces) await refuseRepairable(session, present, { audit, known, former })
  machines.requireClock(context, session)
  const isCurrent = former && !(known && former.manifest.keyEpoch < known.keyEpoch)
  const source = { lost, wayIn, former: isCurrent ? former : undefined }
  const parts = await recovery.read(context, session, source)
  const changes = {
    ...parts,
    facts: [{ fact: 'state-recovered', detail: { after: String(known?.generation ?? 0) } }],
    lost: known,
  } as const
  const message = `Recover the state of ${spec.clusterName}`
  const generation = replaces
    ? await store.startOver(audit, changes, message)
    : await store.update(() => changes, message)
  if (!generation) throw moved()
  return await finishFoundState(mode, context, session, generation)
}

/** A state that is there, however bad, is repaired from the history of its branch, which knows more than the nodes. */
function refuseState({ state: { branch } }: CommonSpec, present: PresentState): void {
  if (present.kind === 'absent') return
  if (present.kind === 'believed') {
    throw recoveryImpossible(
      'there is a state of this cluster, and nothing to recover',
      'Continue with it: `hcloud-talos plan`. Only if no identity is left that opens it, run this again with `--replace-state`.',
    )
  }
  const { error } = present
  throw recoveryImpossible(
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
  { spec: { clusterName }, store }: StateSession,
  present: PresentState,
  { audit: { isPartlyUnreadable }, known, former }: KnownPast,
): Promise<void> {
  if (present.kind === 'damaged' && isPartlyUnreadable) throw present.error
  if (!former || (known && isOlder(former, known)) || !(await opens(store, former))) return
  throw recoveryImpossible(
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
  return recoveryImpossible(
    'the state branch moved while this was looked at',
    'Run the same command again.',
  )
}
