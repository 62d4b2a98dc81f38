import { isClusterError } from '../lib/cluster-error.ts'
import { runPhase } from '../phases/run-phase.ts'
import type { Plan } from '../plan/plan.ts'
import type { Generation } from '../store/generation.ts'
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
import { observeCluster } from './observe-cluster.ts'
import { planApply } from './plan-apply.ts'
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
 * behind the generation that Hetzner remembers. Where any part cannot be read nothing is written: unknown is
 * not absent. Throws `recovery-impossible`, `state-rolled-back` and what reading the nodes throws.
 */
export async function recoverState(
  context: RunContext,
  { file, wayIn }: RecoverInput,
): Promise<RecoveredState> {
  await using session = await openSession(context, file)
  await lockCluster(context, session)
  const { spec, store } = session
  await refuseState(session)
  const lost = await runPhase(
    context.progress,
    'Look at what is there',
    () => readLostCluster(session),
    ({ uid, inventory }) => `uid ${uid}, ${inventory.nodes.length} nodes`,
  )
  requireClock(context, session.hetzner)
  const credentials = await openWayIn(context, wayIn)
  await using _door = await openDoorOf(context, lost.uid, session)
  const running = await runPhase(context.progress, 'Read the nodes', (phase) =>
    readLostNodes(context, lost, credentials, phase),
  )
  const { secrets, inventory, nodeConfigs } = running
  for (const leaf of secretLeaves(secrets)) context.redactor.add(leaf)
  const { anchor } = lost.view.hetzner
  // It is written before etcd begins: a new etcd must not take the place of one that was lost.
  if (anchor && !inventory.bootstrapped) {
    context.progress.warn('no control plane has data of etcd: restore a snapshot next')
  }
  const addons = inventory.bootstrapped
    ? await recoverAddons(context, lost.view, { secrets, uid: lost.uid })
    : {}
  const generation = await store.update(
    () => ({
      inventory: { ...inventory, addons, bootstrapped: inventory.bootstrapped || Boolean(anchor) },
      secrets: formatSecretsBundle(secrets),
      nodeConfigs,
      facts: [{ fact: 'state-recovered', detail: { after: String(anchor?.generation ?? 0) } }],
      lost: anchor,
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

/** A state that is there, however bad, is mended from the history of its branch, which knows more than the nodes. */
async function refuseState({ spec, store }: ClusterSession): Promise<void> {
  const hint = `Run \`hcloud-talos repair\`: it brings the branch ${spec.state.branch} back to its newest good generation, which knows more than the cluster does. Only if that finds none, and no copy is left anywhere, delete the branch and run this again.`
  try {
    if (!(await store.read())) return
  } catch (error) {
    if (!isClusterError(error) || !error.code.startsWith('state-')) throw error
    throw impossible(`there is a state, and it is damaged (${error.code})`, hint, error)
  }
  throw impossible(
    'there is a state of this cluster, and nothing to recover',
    'Go on with it: `hcloud-talos plan`.',
  )
}
