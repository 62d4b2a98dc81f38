import {
  restartKubeletScript,
  upgradeApplyScript,
  upgradeNodeScript,
} from '../../kubeadm/acts/act-scripts.ts'
import { upgradeFile } from '../../kubeadm/config/upgrade-configuration.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import type { Change } from '../../plan/change.ts'
import { byName } from '../../planner/kubeadm/found-in-view.ts'
import { keptCordons } from '../../planner/kubeadm/kept-cordons.ts'
import { scriptOutput } from '../../run/kubeadm/host-script.ts'
import type { HostsReach } from '../../run/kubeadm/hosts-reach.ts'
import { runPhase } from '../../run/run-phase.ts'
import { checkNodesBeforeUpgrade } from '../check-nodes-before-upgrade.ts'
import { phasesByName } from '../phases-by-name.ts'
import { releaseCordons } from '../release-cordons.ts'
import { type PlanPhase, runPlan } from '../run-plan.ts'
import { upgradeStep } from '../run-step.ts'
import type { HostsCarryOutInput } from './carry-out-hosts.ts'
import { ClusterHosts } from './cluster-hosts.ts'
import { reachControlPlanes } from './reach-control-planes.ts'
import { recordHost } from './record-host.ts'
import { repeatHealthJob } from './repeat-health-job.ts'
import { runJob } from './run-job.ts'
import { whileRestarting } from './static-pods.ts'
import { waitForControlPlane } from './wait-for-control-plane.ts'
import { whileDrained } from './while-drained.ts'

const apiWithinMs = 5 * 60_000
const restartMs = 2 * 60_000

/**
 * Makes the changes of an upgrade's plan, one after the other in its order, once the control plane is seen to be healthy:
 * containerd node by node, kubeadm over the control planes, then the kubelets.
 */
export async function upgradeHosts(
  changes: readonly Change[],
  input: HostsCarryOutInput,
): Promise<void> {
  using upgrade = new HostsUpgrade(input)
  await input.recorder.during(async () => {
    const { progress } = input.context
    await runPhase(progress, 'See that the cluster is fit for it', (phase) => upgrade.check(phase))
    await runPlan(changes, upgrade.phases, progress)
  })
}

class HostsUpgrade implements Disposable {
  readonly #input: HostsCarryOutInput
  readonly #hosts: ClusterHosts
  readonly #reach: HostsReach

  readonly #phases: Readonly<Record<'containerd' | 'kubernetes' | 'kubelets', PlanPhase>> = {
    containerd: {
      title: 'Upgrade containerd',
      kinds: ['host'],
      run: { each: (c, p) => this.#containerd(c, p) },
    },
    kubernetes: {
      title: 'Upgrade the control planes',
      kinds: ['kubernetes'],
      run: { each: (_c, p) => this.#kubernetes(p) },
    },
    kubelets: {
      title: 'Upgrade kubelets',
      kinds: ['kubelet'],
      run: { each: (c, p) => this.#kubelet(c, p) },
    },
  }
  readonly phases = phasesByName(['containerd', 'kubernetes', 'kubelets'], this.#phases)

  constructor(input: HostsCarryOutInput) {
    const { session, view, context } = input
    this.#input = input
    this.#hosts = new ClusterHosts(input)
    this.#reach = reachControlPlanes(context, { session, view, hosts: this.#hosts })
  }

  [Symbol.dispose](): void {
    this.#reach[Symbol.dispose]()
  }

  async check(progress: PhaseProgress): Promise<void> {
    for (const { name } of this.#reach.controlPlanes) {
      await waitForControlPlane(name, this.#wait(progress))
    }
    const { context, view } = this.#input
    const { clock, signal } = context
    const kept = keptCordons(view)
    const kubernetes = await this.#reach.kubernetes(apiWithinMs)
    // What a former run left half way is what this one is for.
    const nodes = view.spec.hosts.filter(({ name }) => !kept.has(name))
    const names = nodes.map(({ name }) => ({ name }))
    const check = { spec: view.spec, nodes: names, kubernetes, clock, signal, progress }
    await checkNodesBeforeUpgrade(check)
    await releaseCordons(kubernetes, kept, progress)
  }

  async #containerd({ after }: Change, progress: PhaseProgress): Promise<void> {
    const name = after?.name ?? ''
    const { view, session } = this.#input
    const detail = {
      version: `containerd ${view.spec.kubeadm.runtime.version ?? 'of its distribution'}`,
    }
    await session.store.record({ fact: 'upgrade-started', node: name, detail })
    await this.#drained(name, progress, () =>
      this.#hosts.prepare(name, progress, { isDrained: true }),
    )
    await session.store.record({ fact: 'upgrade-finished', node: name, detail })
  }

  /** All control planes, one at a time; one that is there already is only seen to be healthy. */
  async #kubernetes(progress: PhaseProgress): Promise<void> {
    const { context, session, view } = this.#input
    const { clock } = context
    const { version } = view.spec.kubernetes
    await session.store.record({ fact: 'upgrade-started', detail: { kubernetes: version } })
    const names = this.#reach.controlPlanes.map(({ name }) => name).toSorted(byName)
    for (const [index, name] of names.entries()) {
      await this.#hosts.prepareUpgrade(name, version, progress)
      const step = index === 0 ? 'kubeadm upgrade apply' : 'kubeadm upgrade node'
      const upgrade = async (onLine: (line: string) => void) =>
        runJob(await this.#hosts.remote(name), {
          name: 'kubeadm-upgrade',
          title: `upgrade its control plane to ${version}`,
          script: index === 0 ? upgradeApplyScript : upgradeNodeScript,
          args: [upgradeFile(view.spec)],
          minutes: view.spec.kubeadm.timeoutMinutes.upgrade,
          onLine,
        })
      const places = { hosts: this.#hosts, reach: this.#reach }
      // The image says nothing of etcd, whose version may stay while its pod changes.
      const former = await upgradeStep({ node: name, step, progress }, (report) =>
        whileRestarting(name, places, () =>
          repeatHealthJob({ clock, signal: session.signal, onRepeat: report }, () =>
            upgrade(report),
          ),
        ),
      )
      await waitForControlPlane(name, this.#wait(progress), { version, former })
    }
  }

  async #kubelet({ after }: Change, progress: PhaseProgress): Promise<void> {
    const name = after?.name ?? ''
    const { view, recorder, session } = this.#input
    const { version } = view.spec.kubernetes
    const detail = { version: `Kubernetes ${version}` }
    const host = this.#hosts.wanted(name)
    const remote = await this.#hosts.remote(name)
    await session.store.record({ fact: 'upgrade-started', node: name, detail })
    if (host.role !== 'control-plane') {
      await this.#hosts.prepareUpgrade(name, version, progress)
      await upgradeStep({ node: name, step: 'kubeadm upgrade node', progress }, (report) =>
        runJob(remote, {
          name: 'kubeadm-upgrade',
          title: `upgrade its config to ${version}`,
          script: upgradeNodeScript,
          args: [upgradeFile(view.spec)],
          minutes: view.spec.kubeadm.timeoutMinutes.upgrade,
          onLine: report,
        }),
      )
    }
    await this.#drained(
      name,
      progress,
      async () => {
        await this.#hosts.prepare(name, progress, { isDrained: true, version })
        await scriptOutput(remote, {
          title: 'restart the kubelet',
          text: restartKubeletScript,
          withinMs: restartMs,
          isRepeatable: true,
        })
      },
      version,
    )
    recordHost(recorder, view, host, {}, { kubernetesVersion: version })
    await recorder.flush()
    await session.store.record({ fact: 'upgrade-finished', node: name, detail })
  }

  async #drained(
    name: string,
    progress: PhaseProgress,
    work: () => Promise<void>,
    kubeletVersion?: string,
  ): Promise<void> {
    const { context, view } = this.#input
    const kubernetes = await this.#reach.kubernetes(apiWithinMs)
    const run = 'upgrade' as const
    const reach = this.#reach
    const node = { name, context, spec: view.spec, kubernetes, reach, progress, run }
    await whileDrained({ ...node, ...(kubeletVersion !== undefined && { kubeletVersion }) }, work)
  }

  #wait(progress: PhaseProgress) {
    return { context: this.#input.context, reach: this.#reach, progress }
  }
}
