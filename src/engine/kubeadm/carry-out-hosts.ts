import { strayMembers } from '../../kubeadm/cluster/stray-members.ts'
import { isOfKubeletsAlone } from '../../kubeadm/kinds/kubernetes/kubernetes-kind.ts'
import { changedSettings } from '../../kubeadm/kinds/node/node-kind.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import type { Change } from '../../plan/change.ts'
import { kindTraits, recordKinds } from '../../plan/record.ts'
import { addonsOfHosts } from '../../planner/kubeadm/addons-of-hosts.ts'
import { foundIn } from '../../planner/kubeadm/found-in-view.ts'
import type { HostsView } from '../../planner/kubeadm/hosts-view.ts'
import type { HostsReach } from '../../run/kubeadm/hosts-reach.ts'
import type { HostsSession } from '../../run/kubeadm/hosts-session.ts'
import { reachedBy } from '../../run/kubeadm/observe-hosts.ts'
import type { RunContext } from '../../run/run-context.ts'
import type { StateRecorder } from '../../run/state-recorder.ts'
import type { HostSpec } from '../../spec/hosts/hosts-spec.ts'
import { Disruptions } from '../disruptions.ts'
import { forgetNode } from '../forget-node.ts'
import { installAddons } from '../install-addons.ts'
import { phasesByName } from '../phases-by-name.ts'
import { type PlanPhase, runPlan } from '../run-plan.ts'
import {
  type ConfigurationOptions,
  changeConfiguration,
  configureKubelet,
  renewControlPlane,
  uploadKubeletConfiguration,
} from './change-configuration.ts'
import { changeKubeVip } from './change-kube-vip.ts'
import { ClusterHosts } from './cluster-hosts.ts'
import { removeEtcdMember } from './etcd-members.ts'
import { HostDeparture } from './host-departure.ts'
import { HostFirewalls } from './host-firewalls.ts'
import type { LeftAs } from './leave-host.ts'
import { Membership } from './membership.ts'
import { reachControlPlanes } from './reach-control-planes.ts'
import { recordHost } from './record-host.ts'
import { renewCertificates } from './renew-certificates.ts'
import { resumeHosts } from './resume-hosts.ts'
import { syncNode } from './sync-node.ts'
import { whileDrained } from './while-drained.ts'

export interface HostsCarryOutInput {
  readonly context: RunContext
  readonly session: HostsSession
  readonly view: HostsView
  readonly recorder: StateRecorder
}

const apiWithinMs = 10 * 60_000

/** Makes the changes of an apply's plan on hosts. Safe to kill and to run again. */
export async function carryOutOnHosts(
  changes: readonly Change[],
  input: HostsCarryOutInput,
): Promise<void> {
  // What fails ends the waiting of the rest; jobs that run on hosts go on there, and are waited for by the next run.
  const stop = new AbortController()
  const signal = AbortSignal.any([input.context.signal, stop.signal])
  using apply = new HostsApply({ ...input, context: { ...input.context, signal } })
  await input.recorder.during(async () => {
    try {
      const ordered = await apply.resumeService(changes)
      await runPlan(ordered, apply.phases, input.context.progress, (failure) => stop.abort(failure))
    } finally {
      await apply.revokeCredentials(input.context.signal)
    }
  })
}

type PhaseName = 'hosts' | 'nodes' | 'etcd' | 'configuration' | 'vip' | 'addons'
const phaseOrder: readonly PhaseName[] = [
  'hosts',
  'nodes',
  'etcd',
  'configuration',
  'vip',
  'addons',
]

/** One run of an apply: what its phases share. */
class HostsApply implements Disposable {
  readonly #input: HostsCarryOutInput
  readonly #hosts: ClusterHosts
  readonly #reach: HostsReach
  readonly #membership: Membership
  readonly #departure: HostDeparture
  readonly #disruptions: Disruptions
  readonly #firewalls: HostFirewalls
  readonly #shared: ConfigurationOptions

  readonly #phases: Readonly<Record<PhaseName, PlanPhase>> = {
    hosts: {
      title: 'Prepare hosts',
      kinds: ['host'],
      run: { each: (c, p) => this.#host(c, p) },
    },
    nodes: {
      title: 'Make nodes of hosts',
      kinds: ['node'],
      run: { each: (c, p) => this.#node(c, p) },
    },
    etcd: {
      title: 'See to the members of etcd',
      kinds: ['etcd'],
      run: { each: (_c, p) => this.#etcd(p) },
    },
    configuration: {
      title: 'Change the control plane',
      kinds: ['kubernetes'],
      run: { each: (c, p) => this.#configuration(c, p) },
    },
    vip: {
      title: 'Keep the virtual IP',
      kinds: ['kube-vip'],
      run: { each: (c, p) => changeKubeVip(c, this.#shared, p) },
    },
    addons: {
      title: 'Install addons',
      kinds: recordKinds.filter((kind) => kindTraits[kind].part === 'addon'),
      run: { together: (c, p) => this.#addons(c, p) },
    },
  }
  readonly phases = phasesByName(phaseOrder, this.#phases)

  constructor(input: HostsCarryOutInput) {
    const { session, view, context } = input
    this.#input = input
    this.#hosts = new ClusterHosts(input)
    this.#reach = reachControlPlanes(context, { session, view, hosts: this.#hosts })
    const shared = { ...input, hosts: this.#hosts, reach: this.#reach }
    this.#shared = shared
    this.#disruptions = new Disruptions(view.spec.upgrade.maxUnavailable, context.signal)
    this.#firewalls = new HostFirewalls(shared)
    this.#membership = new Membership(shared)
    this.#departure = new HostDeparture({
      ...shared,
      membership: this.#membership,
      disruptions: this.#disruptions,
    })
  }

  [Symbol.dispose](): void {
    this.#reach[Symbol.dispose]()
  }

  resumeService(changes: readonly Change[]): Promise<readonly Change[]> {
    const disruptions = this.#disruptions
    return resumeHosts(changes, { ...this.#shared, disruptions })
  }

  revokeCredentials(signal: AbortSignal): Promise<void> {
    return this.#membership.revokeCredentials(signal)
  }

  async #host(change: Change, progress: PhaseProgress): Promise<void> {
    const { before, after } = change
    const name = (after ?? before)?.name ?? ''
    // What becomes of one that leaves is part of its leaving.
    if (change.action === 'delete') return forgetNode(this.#input.recorder, name)
    if (change.action === 'replace') return
    await (change.risk === 'drain'
      ? this.#drained(name, progress, () =>
          this.#hosts.prepare(name, progress, { isDrained: true }),
        )
      : this.#hosts.prepare(name, progress))
    await this.#recordPrepared(name)
  }

  async #recordPrepared(name: string): Promise<void> {
    const { view, recorder } = this.#input
    const look = view.hosts.get(name)
    if (look?.kind !== 'seen') return
    const { machineId } = look.host
    recordHost(recorder, view, this.#hosts.wanted(name), { machineId, hostKey: look.hostKey })
  }

  async #drained(name: string, progress: PhaseProgress, work: () => Promise<void>): Promise<void> {
    const { context, view, reach } = this.#shared
    const run = 'apply' as const
    const kubernetes = await reach.kubernetes(apiWithinMs)
    await this.#disruptions.during(name, () =>
      whileDrained({ name, context, spec: view.spec, kubernetes, reach, progress, run }, work),
    )
  }

  async #node(change: Change, progress: PhaseProgress): Promise<void> {
    const { action, before, after } = change
    const name = (after ?? before)?.name ?? ''
    if (action === 'delete' || action === 'replace') {
      await this.#leave(name, String(before?.spec['role']), action === 'replace', progress)
    }
    if (action === 'delete') return
    const host = this.#hosts.wanted(name)
    if (action !== 'update') {
      // One that was replaced is another machine, or comes back as something else: it is prepared as what it is now.
      if (action === 'replace') await this.#hosts.prepare(name, progress)
      const isFirst = !this.#input.recorder.inventory.bootstrapped
      if (isFirst && host.role === 'control-plane') await this.#begin(name, progress)
      else await this.#join(host, progress)
    } else {
      await this.#updateNode(name, changedSettings(change.fields), progress)
    }
    await this.#syncNode(name)
  }

  async #updateNode(
    name: string,
    changed: ReadonlySet<string>,
    progress: PhaseProgress,
  ): Promise<void> {
    const options = this.#shared
    if (changed.has('kubelet')) {
      await this.#drained(name, progress, () => configureKubelet(name, options, progress))
    }
    if (changed.has('patches')) await this.#renew(name, progress)
    if (changed.has('certificates')) {
      await this.#membership.oneAtATime(() => renewCertificates(name, options, progress))
    }
  }

  async #begin(name: string, progress: PhaseProgress): Promise<void> {
    this.#reach.use([reachedBy(this.#input.session, this.#hosts.known(name))])
    await this.#membership.init(this.#hosts.wanted(name), progress)
  }

  async #join(host: HostSpec, progress: PhaseProgress): Promise<void> {
    await this.#firewalls.letIn(progress)
    await this.#membership.join(host, progress)
  }

  async #leave(
    name: string,
    role: string,
    comesBack: boolean,
    progress: PhaseProgress,
  ): Promise<void> {
    const known = this.#input.recorder.inventory.nodes.find((node) => node.name === name)
    const leftAs: LeftAs = comesBack ? 'reset' : (known?.host?.onRemove ?? 'keep')
    await this.#departure.leave(name, role, leftAs, progress)
    if (!comesBack) await this.#firewalls.letOut(name, progress)
  }

  async #renew(name: string, progress: PhaseProgress): Promise<void> {
    if (this.#hosts.wanted(name).role !== 'control-plane') return this.#hosts.writePatches(name)
    await this.#membership.oneAtATime(() => renewControlPlane(name, this.#shared, progress))
  }

  async #syncNode(name: string): Promise<void> {
    const kubernetes = await this.#reach.kubernetes(apiWithinMs)
    await syncNode(kubernetes, this.#hosts.wanted(name), this.#input)
  }

  /** Members that never started, or that belong to no host. */
  async #etcd(progress: PhaseProgress): Promise<void> {
    const { view, recorder } = this.#input
    if (view.cluster === undefined) return
    const wanted = new Set(view.spec.hosts.map(({ name }) => name))
    for (const member of strayMembers(foundIn(view), wanted).removable) {
      await removeEtcdMember(member, member.name, { recorder, reach: this.#reach, progress })
    }
  }

  async #configuration({ fields }: Change, progress: PhaseProgress): Promise<void> {
    const options = this.#shared
    if (changedSettings(fields).has('kubelet')) {
      await uploadKubeletConfiguration(options, progress)
    }
    if (isOfKubeletsAlone(fields)) return
    await this.#membership.oneAtATime(() => changeConfiguration(options, progress))
  }

  async #addons(changes: readonly Change[], _progress: PhaseProgress): Promise<void> {
    const { context, view, recorder, session } = this.#input
    const kubernetes = await this.#reach.kubernetes(apiWithinMs)
    await installAddons(context, {
      view,
      addonsOf: addonsOfHosts,
      credentials: undefined,
      recorder,
      kubernetes,
      changes,
      namedSecrets: () => session.store.readNamedSecrets(),
    })
  }
}
