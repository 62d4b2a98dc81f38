import { refuseErrors } from '../lib/findings-error.ts'
import type { PhaseProgress } from '../lib/progress.ts'
import { configureClusterNode } from '../phases/configure-cluster-node.ts'
import { runPhase } from '../phases/run-phase.ts'
import { runPlan } from '../phases/run-plan.ts'
import { StateRecorder } from '../phases/state-recorder.ts'
import { upgradeClusterNode } from '../phases/upgrade-cluster-node.ts'
import type { Change } from '../plan/change.ts'
import type { Plan } from '../plan/plan.ts'
import type { ApprovedPlan } from '../plan/verdict.ts'
import { locateFindings } from '../spec/locate-findings.ts'
import { installerImage, schematicOf } from '../talos/config/schematic.ts'
import { registerSchematic } from '../talos/factory.ts'
import { anchored } from './anchor-state.ts'
import { recordPlan } from './applied-spec.ts'
import { refuseMoved } from './apply-cluster.ts'
import { ClusterReach } from './cluster-reach.ts'
import {
  type ClusterFile,
  type ClusterSession,
  lockCluster,
  openSession,
} from './cluster-session.ts'
import { clusterUnknown } from './cluster-unknown.ts'
import { refuseOutdated } from './merged-file.ts'
import { type ClusterView, observeCluster } from './observe-cluster.ts'
import { planUpgrade } from './plan-upgrade.ts'
import { requireRights } from './require-rights.ts'
import type { RunContext } from './run-context.ts'
import { openDoor, sweepDoors } from './runner-door.ts'

export interface UpgradeInput {
  readonly file: ClusterFile
  readonly approved?: ApprovedPlan | undefined
  readonly confirm?: ((plan: Plan) => Promise<boolean>) | undefined
  readonly keepDoorOpen?: boolean
}

/** How long the Kubernetes API may take to answer, in milliseconds. */
const kubernetesWithinMs = 5 * 60_000

/**
 * Rolls the cluster's nodes, one at a time, control planes first, into the Talos version and image of
 * the file. Stops at the first node that does not come well; run again, it goes on with the nodes that
 * are left. Throws `cluster-unknown` when there is no such cluster.
 */
export async function upgradeCluster(
  context: RunContext,
  input: UpgradeInput,
): Promise<{ plan: Plan; applied: boolean }> {
  await using session = await openSession(context, input.file)
  await lockCluster(context, session)
  await refuseOutdated(context, input.file)
  const view = await runPhase(context.progress, 'Look at what is there', () =>
    observeCluster(session.spec, session.store, session.hetzner),
  )
  if (!view.generation) throw clusterUnknown(session.spec, 'upgrade')
  const plan = planUpgrade(view, { now: context.calendar.now() })
  refuseErrors('plan-refused', locateFindings(input.file.text, plan.findings), input.file.path)
  refuseMoved(plan, input.approved)
  if (plan.changes.length > 0) await requireRights(context, session, view, { plan })
  if (input.confirm && !(await input.confirm(plan))) return { plan, applied: false }
  // Also when nothing is to be done: who asked for an open door has something to do behind it.
  if (plan.changes.length === 0 && !input.keepDoorOpen) {
    await sweepDoors(context, view, session)
    return { plan, applied: true }
  }
  await using _door = await openDoor(context, view, session, input)
  if (plan.changes.length === 0) return { plan, applied: true }
  const now = context.calendar.now()
  await session.store.update(
    (newest) => ({ plans: recordPlan(plan, session.spec, context.run, now, newest) }),
    'Upgrade nodes',
  )
  await anchored(session, view, () => rollNodes(context, session, view, plan.changes))
  return { plan, applied: true }
}

async function rollNodes(
  context: RunContext,
  session: ClusterSession,
  view: ClusterView,
  changes: readonly Change[],
): Promise<void> {
  const { clock, random, signal, endpoints, progress } = context
  const { spec, generation } = view
  if (!generation) throw new Error('nodes without a state cannot be upgraded')
  if (spec.talos.schematic === undefined) {
    await registerSchematic(spec.talos, { endpoint: endpoints.factory, clock, random, signal })
  }
  using reach = new ClusterReach(context, session.store, view)
  const recorder = new StateRecorder(session.store, generation.inventory)
  const each = (change: Change, phase: PhaseProgress) =>
    upgradeNode(change, { context, session, view, reach, recorder, phase })
  await recorder.during(() =>
    runPlan(changes, [{ title: 'Upgrade nodes', kinds: ['node'], run: { each } }], progress),
  )
}

interface NodeUpgrade {
  readonly context: RunContext
  readonly session: ClusterSession
  readonly view: ClusterView
  readonly reach: ClusterReach
  readonly recorder: StateRecorder
  readonly phase: PhaseProgress
}

async function upgradeNode(
  { after }: Change,
  { context, session, view, reach, recorder, phase }: NodeUpgrade,
): Promise<void> {
  const node = view.nodes.find(({ name }) => name === after?.name)
  const [first, ...others] = reach.controlPlanes()
  if (!node || !first) throw new Error('an upgrade of a node that the spec does not have')
  const { clock, signal, run } = context
  const { version } = view.spec.talos
  const schematic = schematicOf(view.spec)
  const access = await reach.access()
  const target = { node: node.name, detail: { version } }
  await session.store.record({ fact: 'upgrade-started', ...target })
  await upgradeClusterNode({
    name: node.name,
    client: access.talos(reach.addresses.of(node.name).address),
    version,
    schematic,
    image: installerImage(version, schematic),
    controlPlanes: access.controlPlanes([first, ...others]),
    kubernetes: await reach.kubernetes(kubernetesWithinMs, phase),
    clock,
    signal,
    progress: phase,
    run: run.id,
  })
  // The config names the installer of its version: it follows, or the next plan would differ.
  await configureClusterNode({
    spec: view.spec,
    node,
    secrets: await reach.secrets(),
    decided: reach.decidedAddresses(),
    access,
    addresses: reach.addresses,
    recorder,
    clock,
    signal,
    progress: phase,
  })
  await recorder.flush()
  await session.store.record({ fact: 'upgrade-finished', ...target })
}
