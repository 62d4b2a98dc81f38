import type { VerifiedSnapshot } from '../../backup/verified-snapshot.ts'
import { restartKubeletScript } from '../../kubeadm/acts/act-scripts.ts'
import {
  restoreDataScript,
  restoredSnapshot,
  startControlPlaneScript,
} from '../../kubeadm/acts/etcd-scripts.ts'
import type { KubernetesClient } from '../../kubernetes/kubernetes-client.ts'
import { deleteNode, getNode, nodeRef } from '../../kubernetes/nodes.ts'
import { waitForRegistration } from '../../kubernetes/wait-for-registration.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import type { HostsView } from '../../planner/kubeadm/hosts-view.ts'
import { restoredHosts } from '../../planner/kubeadm/plan-restore.ts'
import { type RestorePlan, recoveryBegun } from '../../planner/restore-plan.ts'
import { HostsReach } from '../../run/kubeadm/hosts-reach.ts'
import type { HostsSession } from '../../run/kubeadm/hosts-session.ts'
import { reachedBy } from '../../run/kubeadm/observe-hosts.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import { StateRecorder } from '../../run/state-recorder.ts'
import { outliveJob } from '../../ssh/follow-job.ts'
import { writePieces } from '../../ssh/write-pieces.ts'
import { keepEtcdCopies } from '../keep-etcd-copies.ts'
import { emptyClusterNode } from '../remove-cluster-node.ts'
import { waitForNodes } from '../wait-for-nodes.ts'
import { ClusterHosts } from './cluster-hosts.ts'
import { type SeenEtcd, sourceOf } from './etcd-source.ts'
import { beginningOf } from './judge-hosts-restore.ts'
import { lookAtControlPlanes } from './look-at-control-planes.ts'
import { Membership } from './membership.ts'
import { act, fetchTool, onAll, stopControlPlane, wipeEtcd } from './restore-acts.ts'
import { runJob } from './run-job.ts'
import { storeHostSnapshot } from './store-host-snapshot.ts'
import { syncNode } from './sync-node.ts'
import { waitForControlPlane } from './wait-for-control-plane.ts'

/** How long the cluster may take to be healthy again, in milliseconds, at each step. */
const withinMs = 20 * 60_000
/** How long making data of a snapshot may take, in minutes: it is copied and synced. */
const restoreMinutes = 60
const restoreMs = restoreMinutes * 60_000
const restoreJob = 'etcd-restore'

export interface HostsRestoreInput {
  readonly context: RunContext
  readonly session: HostsSession
  readonly former: HostsView
  readonly plan: RestorePlan
  readonly snapshot: VerifiedSnapshot
}

/** The steps of a restore on hosts, each of which looks at what is there before it acts. Safe to kill and to run again. */
export async function restoreHosts(input: HostsRestoreInput): Promise<void> {
  const inventory = input.session.store.known?.inventory ?? input.former.generation?.inventory
  if (!inventory) throw new Error('a cluster without a state cannot be restored')
  using restore = new HostsRestore(input, new StateRecorder(input.session.store, inventory))
  await restore.run()
}

/** One run of a restore: what its steps share. */
class HostsRestore implements Disposable {
  readonly #input: HostsRestoreInput
  readonly #recorder: StateRecorder
  readonly #hosts: ClusterHosts
  readonly #reach: HostsReach
  readonly #membership: Membership
  readonly #detail: Readonly<Record<string, string>>

  constructor(input: HostsRestoreInput, recorder: StateRecorder) {
    const { context, session, former: view, plan, snapshot } = input
    this.#input = input
    this.#recorder = recorder
    const work = { session, view, recorder }
    this.#hosts = new ClusterHosts(work)
    this.#reach = new HostsReach(context)
    this.#membership = new Membership({ ...work, context, hosts: this.#hosts, reach: this.#reach })
    this.#detail = {
      snapshot: snapshot.digest,
      place: plan.place,
      ...(snapshot.metadata && { takenAt: snapshot.metadata.takenAt }),
    }
  }

  [Symbol.dispose](): void {
    this.#reach[Symbol.dispose]()
  }

  async run(): Promise<void> {
    const { session, context, former, plan } = this.#input
    const { there, beginning } = restoredHosts(former)
    const seen = await lookAtControlPlanes(session, former, there)
    const journal = former.generation?.journal ?? []
    const begun = recoveryBegun(journal, this.#input.snapshot.digest)
    const begin = beginningOf(seen, beginning, { begun, resumes: plan.resumes })
    await this.#recorder.during(async () => {
      try {
        if (!plan.resumes) await this.#clear(seen, begin)
        await this.#begin(begin)
        await this.#gather(begin.name)
      } finally {
        await this.#membership.revokeCredentials(context.signal)
      }
    })
    await runPhase(context.progress, 'Bring the nodes back', (phase) => this.#bringBack(phase))
    await session.store.update(
      (generation) => ({
        inventory: {
          ...(generation?.inventory ?? this.#recorder.inventory),
          bootstrapped: true,
        },
        facts: [{ fact: 'etcd-recovered', node: begin.name, detail: this.#detail }],
      }),
      'Etcd was restored',
    )
  }

  /** Nothing is stopped before a copy of it is kept, and nothing wiped before all of them are stopped. */
  async #clear(seen: readonly SeenEtcd[], begin: SeenEtcd): Promise<void> {
    const { context, former, plan, session } = this.#input
    const { progress } = context
    await runPhase(
      progress,
      'Bring the program that restores snapshots',
      () => fetchTool(begin.remote),
      (from) => `${begin.name}: ${from}`,
    )
    // What a run that died left at work would bring back what is wiped.
    await onAll(seen, (remote) => outliveJob(remote, restoreJob, { withinMs: restoreMs }))
    const copies = await keepEtcdCopies(context, {
      view: former,
      wiped: seen.filter(({ name }) => plan.wipes.includes(name)),
      ask: async (one) => sourceOf(one),
      beside: plan.place,
      aboutUnread:
        'Run the same command again once its etcd answers; where nobody needs what it holds, remove /var/lib/etcd/member on that host yourself.',
      store: (source, to) => storeHostSnapshot(context, { source, ...to, view: former }),
    })
    await session.store.record({
      fact: 'etcd-wipe-started',
      detail: { ...this.#detail, ...(copies.length > 0 && { copies: copies.join(' ') }) },
    })
    await runPhase(progress, 'Stop the control planes', () => onAll(seen, stopControlPlane))
    await runPhase(progress, 'Empty the control planes', () => onAll(seen, wipeEtcd))
    await session.store.record({
      fact: 'etcd-recover-started',
      node: begin.name,
      detail: this.#detail,
    })
  }

  /** etcd begins on one control plane, alone, with what the snapshot holds; done already it is only waited for. */
  async #begin({ name, remote }: SeenEtcd): Promise<void> {
    const { context, session, snapshot } = this.#input
    const host = this.#hosts.wanted(name)
    await runPhase(context.progress, 'Begin etcd with the snapshot', async (phase) => {
      const [found] = await lookAtControlPlanes(session, this.#input.former, [name])
      if (found?.look.database === undefined) {
        await fetchTool(remote)
        phase.step(`${name}: the snapshot is brought`)
        await writePieces(remote, restoredSnapshot, snapshot.read())
        phase.step(`${name}: its data is made`)
        const peer = `https://${host.nodeIp}:2380`
        const token = `${this.#recorder.inventory.uid}-${snapshot.digest.slice(0, 16)}-${context.run.id}`
        await runJob(remote, {
          name: restoreJob,
          title: 'restore the snapshot',
          script: restoreDataScript,
          args: [name, peer, token],
          minutes: restoreMinutes,
        })
      }
      phase.step(`${name}: its control plane is started`)
      await act(remote, 'start its control plane', startControlPlaneScript)
      this.#reach.use([reachedBy(session, this.#hosts.known(name))])
      const kubernetes = await this.#kubernetes(phase)
      await this.#register(name, kubernetes, phase)
      await waitForControlPlane(name, { context, reach: this.#reach, progress: phase })
    })
  }

  /** A node that joined after the snapshot was taken is not in it: its kubelet registers it, as what it is. */
  async #register(name: string, kubernetes: KubernetesClient, phase: PhaseProgress): Promise<void> {
    const { clock, signal } = this.#input.context
    const onPending = (reason: string) => phase.step(reason)
    await waitForRegistration(kubernetes, [name], { clock, signal, onPending })
    if ((await getNode(kubernetes, name))?.controlPlane === false) {
      await kubernetes.patch(nodeRef(name), { metadata: { labels: controlPlaneLabels } })
    }
    await this.#sync(name, kubernetes)
  }

  /** The other control planes are none of the etcd that has begun: each leaves what it was, and joins as one that is new. */
  async #gather(begin: string): Promise<void> {
    const { context, former } = this.#input
    const { joining, bare } = restoredHosts(former)
    const others = joining.filter((name) => name !== begin)
    if (others.length === 0) return
    await runPhase(context.progress, 'Let the other control planes join', async (phase) => {
      const kubernetes = await this.#kubernetes(phase)
      const { members } = await this.#reach.members()
      for (const name of others) {
        if (members.some((member) => member.name === name && !member.isLearner)) {
          this.#use(name)
          continue
        }
        await this.#empty(name, kubernetes, phase)
        if (bare.includes(name)) await this.#hosts.prepare(name, phase)
        await this.#membership.join(this.#hosts.wanted(name), phase)
        await this.#sync(name, kubernetes)
      }
    })
  }

  /** Its node is that of before: whatever runs there goes elsewhere, where its kubelet lives and hears of it. */
  async #empty(name: string, kubernetes: KubernetesClient, progress: PhaseProgress): Promise<void> {
    const { clock, signal, run } = this.#input.context
    await emptyClusterNode(name, { kubernetes, clock, signal, progress, run: run.id })
    await deleteNode(kubernetes, name)
  }

  /** Kubelets go on by themselves; one whose node joined after the snapshot makes it again when it starts. */
  async #bringBack(phase: PhaseProgress): Promise<string> {
    const { context, former } = this.#input
    const { spec } = former
    const members = new Set(
      this.#recorder.inventory.nodes.flatMap(({ name, host }) =>
        host?.membership === 'member' ? [name] : [],
      ),
    )
    const hosts = spec.hosts.filter(({ name }) => members.has(name) && this.#hasNode(name))
    const workers = hosts.filter(({ role }) => role !== 'control-plane')
    await Promise.all(
      workers.map(async ({ name }) =>
        act(await this.#hosts.remote(name), 'restart its kubelet', restartKubeletScript),
      ),
    )
    const kubernetes = await this.#kubernetes(phase)
    const { clock, signal } = context
    const onPending = (reason: string) => phase.step(reason)
    await waitForNodes({
      spec,
      kubernetes,
      nodes: hosts.map(({ name }) => ({ name })),
      kept: new Map(),
      wait: { clock, signal, withinMs, onPending },
      progress: phase,
    })
    for (const { name } of workers) await this.#sync(name, kubernetes)
    await this.#recorder.flush()
    return `${hosts.length} nodes`
  }

  /** Whether a host still is the machine with the node that the state knows, or joined in this run. */
  #hasNode(name: string): boolean {
    const look = this.#input.former.hosts.get(name)
    if (look?.kind !== 'seen') return false
    const { joining } = restoredHosts(this.#input.former)
    if (joining.includes(name)) return true
    const known = this.#recorder.inventory.nodes.find((node) => node.name === name)
    return look.host.traces.hasKubeletConf && known?.host?.machineId === look.host.machineId
  }

  async #sync(name: string, kubernetes: KubernetesClient): Promise<void> {
    const { context, former: view } = this.#input
    await syncNode(kubernetes, this.#hosts.wanted(name), {
      view,
      recorder: this.#recorder,
      context,
    })
  }

  #use(name: string): void {
    const others = this.#reach.controlPlanes.filter((one) => one.name !== name)
    this.#reach.use([...others, reachedBy(this.#input.session, this.#hosts.known(name))])
  }

  #kubernetes(phase: PhaseProgress): Promise<KubernetesClient> {
    return this.#reach.kubernetes(withinMs, (reason) => phase.step(reason))
  }
}

/** What kubeadm gives the node of a control plane, and its kubelet may not. */
const controlPlaneLabels = {
  'node-role.kubernetes.io/control-plane': '',
  'node.kubernetes.io/exclude-from-external-load-balancers': '',
}
