import { type ClusterError, isClusterError } from '../lib/cluster-error.ts'
import { runPhase } from '../phases/run-phase.ts'
import type { Plan } from '../plan/plan.ts'
import type { ClusterSpec } from '../spec/cluster-spec.ts'
import type { StateAudit } from '../store/audit-state.ts'
import type { Generation } from '../store/generation.ts'
import { isOlder, type StateAnchor } from '../store/refuse-older.ts'
import type { StateStore } from '../store/state-store.ts'
import { secretLeaves } from '../talos/config/secrets-bundle.ts'
import { formatSecretsBundle } from '../talos/config/secrets-bundle-yaml.ts'
import { anchorState } from './anchor-state.ts'
import { appliedSpec } from './applied-spec.ts'
import {
  type ClusterFile,
  type ClusterSession,
  lockCluster,
  openSession,
} from './cluster-session.ts'
import { givenSecrets, keepSecrets, setterOf } from './named-secrets.ts'
import { observeCluster } from './observe-cluster.ts'
import { planApply } from './plan-apply.ts'
import { furthest, type PresentState, readPresentState } from './present-state.ts'
import { readLostCluster } from './read-lost-cluster.ts'
import { readLostNodes } from './read-lost-nodes.ts'
import { recordCluster } from './record-cluster.ts'
import { recoverAddons } from './recover-addons.ts'
import { impossible, openWayIn, type WayIn } from './recovery-way-in.ts'
import { requireClock } from './require-clock.ts'
import type { RunContext } from './run-context.ts'
import { openDoorOf } from './runner-door.ts'

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
 * Makes the state of a cluster anew whose branch is lost, while the cluster runs: its secrets out of the
 * machine config of a control plane, its nodes and their slots from the labels at Hetzner, configs and
 * versions from the nodes. Nothing of the cluster is changed. The new state is signed by this run and goes on
 * behind the generation that Hetzner, or a signature on the branch, remembers. Where any part cannot be read nothing is written: unknown is
 * not absent. Throws `recovery-impossible`, `state-rolled-back` and what reading the nodes throws.
 */
export async function recoverState(
  context: RunContext,
  { file, wayIn, replaces = false }: RecoverInput,
): Promise<RecoveredState> {
  await using session = await openSession(context, file)
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
  if (replaces && !(await isSealed(store, present)))
    refuseRepairable(spec, present, { audit, known })
  requireClock(context, session.hetzner)
  const credentials = await openWayIn(context, wayIn)
  await using _door = await openDoorOf(context, lost.uid, session)
  const running = await runPhase(context.progress, 'Read the nodes', (phase) =>
    readLostNodes(context, lost, credentials, phase),
  )
  const { secrets, inventory, nodeConfigs } = running
  for (const leaf of secretLeaves(secrets)) context.redactor.add(leaf)
  // It is written before etcd begins: a new etcd must not take the place of one that was lost.
  if (anchor && !inventory.bootstrapped) {
    context.progress.warn('no control plane has data of etcd: restore a snapshot next')
  }
  const addons = inventory.bootstrapped
    ? await recoverAddons(context, lost.view, { secrets, uid: lost.uid })
    : {}
  const bootstrapped = inventory.bootstrapped || Boolean(anchor)
  const given = givenSecrets(context, spec)
  const setter = setterOf(context, 'environment')
  if (replaces && !(await store.clear(audit))) throw moved()
  const generation = await store.update(
    async () => ({
      ...(await keepSecrets({ ...inventory, addons, bootstrapped }, given, store, setter)),
      secrets: formatSecretsBundle(secrets),
      nodeConfigs,
      facts: [{ fact: 'state-recovered', detail: { after: String(known?.generation ?? 0) } }],
      lost: known,
    }),
    `Recover the state of ${spec.clusterName}`,
  )
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
      'Go on with it: `hcloud-talos plan`. Only if no identity is left that opens it, run this again with `--replace-state`.',
    )
  }
  const { error } = present
  throw impossible(
    `there is a state, and it is damaged (${error.code})`,
    `Run \`hcloud-talos repair\`: it brings the branch ${branch} back to its newest good generation, which knows more than the cluster does. Only if that finds none, and no copy is left anywhere, run this again with \`--replace-state\`: it takes this cluster off the branch, and leaves other clusters and the history alone.`,
    error,
  )
}

/** Whether a state is as it was written, and none of the identities of this run opens it. */
async function isSealed(store: StateStore, { kind }: PresentState): Promise<boolean> {
  if (kind !== 'believed') return false
  try {
    await store.readSecrets()
    return false
  } catch (error) {
    if (!isClusterError(error, 'state-undecryptable')) throw error
    return true
  }
}

interface KnownPast {
  readonly audit: StateAudit
  readonly known: StateAnchor | undefined
}

/** The place of a state is taken only where a repair would lose something, or is refused. */
function refuseRepairable(
  { clusterName }: ClusterSpec,
  present: PresentState,
  { audit: { newest, ended, isPartlyUnreadable }, known }: KnownPast,
): void {
  if (present.kind === 'damaged' && isPartlyUnreadable) throw present.error
  const base = present.kind === 'believed' ? present.generation : (newest ?? ended)
  if (!base || (known && isOlder(base, known))) return
  throw impossible(
    `generation ${base.manifest.generation} of ${clusterName} is on the branch, and as new as any that is known`,
    present.kind === 'believed'
      ? 'Go on with it: `hcloud-talos plan`.'
      : 'Run `hcloud-talos repair`: it goes on from there, and loses nothing.',
  )
}

function moved(): ClusterError {
  return impossible(
    'the state branch moved while this was looked at',
    'Run the same command again.',
  )
}
