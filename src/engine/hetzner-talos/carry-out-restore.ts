import type { VerifiedSnapshot } from '../../backup/verified-snapshot.ts'
import { waitForNodesReady } from '../../kubernetes/nodes.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import type { ClusterView } from '../../planner/hetzner-talos/cluster-view.ts'
import { orderRestore, type RestorePlan } from '../../planner/restore-plan.ts'
import { ClusterReach } from '../../run/hetzner-talos/cluster-reach.ts'
import type { ClusterSession } from '../../run/hetzner-talos/cluster-session.ts'
import { observeCluster } from '../../run/hetzner-talos/observe-cluster.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import { StateRecorder } from '../../run/state-recorder.ts'
import { emptyEtcd } from '../../talos/etcd/empty-etcd.ts'
import { findEtcdSource } from '../../talos/etcd/etcd-source.ts'
import { recoverEtcd } from '../../talos/etcd/recover-etcd.ts'
import { keepEtcdCopies } from '../keep-etcd-copies.ts'
import { carryOut } from './carry-out.ts'
import { renewNodes } from './renew-nodes.ts'
import { storeEtcdSnapshot } from './store-etcd-snapshot.ts'

/** How long the cluster may take to be healthy again, in milliseconds, at each step. */
const withinMs = 20 * 60_000

export interface CarryOutRestoreInput {
  readonly context: RunContext
  readonly session: ClusterSession
  readonly former: ClusterView
  readonly plan: RestorePlan
  readonly snapshot: VerifiedSnapshot
}

/** The steps of a restore, each of which looks at what is there before it acts. */
export async function carryOutRestore({
  context,
  session,
  former,
  plan,
  snapshot,
}: CarryOutRestoreInput): Promise<void> {
  const { creates, resumes } = plan
  const { store } = session
  const { progress } = context
  const detail = {
    snapshot: snapshot.digest,
    place: plan.place,
    ...(snapshot.metadata && { takenAt: snapshot.metadata.takenAt }),
  }
  // Nothing that exists is touched before the note; without anything to create it is made before the wipe.
  if (!resumes && creates.length > 0) await store.record({ fact: 'restore-started', detail })
  if (plan.renews !== undefined) {
    using reach = new ClusterReach(context, store, former)
    await reach.renewAuthorities()
  }
  const inventory = store.known?.inventory ?? former.generation?.inventory
  if (!inventory) throw new Error('a cluster without a state cannot be restored')
  const recorder = new StateRecorder(store, inventory)
  const { beforeEtcd, withKubernetes } = orderRestore(creates)
  if (beforeEtcd.length > 0) {
    await carryOut(beforeEtcd, { context, session, view: former, recorder, etcdLost: true })
  }
  const view =
    beforeEtcd.length > 0 ? await observeCluster(session.spec, store, session.hetzner) : former
  using reach = new ClusterReach(context, store, view)
  const [first, ...others] = reach.controlPlanes()
  if (!first) throw new Error('a cluster without a control plane passed the checks')
  const access = await reach.access()
  const controlPlanes = access.controlPlanes([first, ...others])
  const [begin] = controlPlanes
  const waiting = (phase: PhaseProgress) => ({
    clock: context.clock,
    signal: context.signal,
    withinMs,
    onPending: (reason: string) => phase.step(reason),
  })
  if (!resumes) {
    const copies = await keepEtcdCopies(context, {
      view,
      wiped: controlPlanes.filter(({ name }) => plan.wipes.includes(name)),
      ask: findEtcdSource,
      beside: plan.place,
      aboutUnread:
        'Run the same command again once the node answers; if its data is lost, delete its server in the Hetzner console: the restore creates it again.',
      store: (source, to) => storeEtcdSnapshot(context, { source, ...to, view }),
    })
    await store.record({
      fact: 'etcd-wipe-started',
      detail: { ...detail, ...(copies.length > 0 && { copies: copies.join(' ') }) },
    })
    await runPhase(progress, 'Empty the control planes', (phase) =>
      Promise.all(controlPlanes.map((one) => emptyEtcd(one, waiting(phase)))),
    )
    await store.record({ fact: 'etcd-recover-started', node: begin.name, detail })
  }
  await runPhase(progress, 'Begin etcd with the snapshot', (phase) =>
    recoverEtcd({ first: begin, read: snapshot.read, ...waiting(phase) }),
  )
  await runPhase(progress, 'Wait for the other control planes', (phase) =>
    reach.waitForHealthyEtcd('the restore', phase),
  )
  if (withKubernetes.length > 0) {
    await carryOut(withKubernetes, { context, session, view, recorder, etcdLost: true })
  }
  await runPhase(progress, 'Bring the nodes back', (phase) =>
    bringNodesBack(context, view, reach, phase),
  )
  await store.update(
    (generation) => ({
      inventory: { ...(generation?.inventory ?? inventory), bootstrapped: true },
      facts: [{ fact: 'etcd-recovered', node: begin.name, detail }],
    }),
    'Etcd was restored',
  )
}

async function bringNodesBack(
  { clock, signal }: RunContext,
  view: ClusterView,
  reach: ClusterReach,
  progress: PhaseProgress,
): Promise<void> {
  const kubernetes = await reach.kubernetes(withinMs, progress)
  const access = await reach.access()
  const names = view.nodes
    .map(({ name }) => name)
    .filter((name) => reach.addresses.factsOf(name)?.publicIp !== undefined)
  const { addresses } = reach
  await renewNodes(names, { kubernetes, access, addresses, clock, signal, progress })
  // Without a network of ours nodes are Ready when the user's own is.
  if (view.spec.cni.type === 'none') return
  const onPending = (reason: string) => progress.step(reason)
  const nodes = names.map((name) => ({ name, serverId: addresses.of(name).serverId }))
  await waitForNodesReady(kubernetes, nodes, { clock, signal, withinMs, onPending })
}
