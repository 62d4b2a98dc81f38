import { deleteNode } from '../../kubernetes/nodes.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import type { HostsReach } from '../../run/kubeadm/hosts-reach.ts'
import type { RunContext } from '../../run/run-context.ts'
import type { Disruptions } from '../disruptions.ts'
import { forgetNode } from '../forget-node.ts'
import { emptyClusterNode } from '../remove-cluster-node.ts'
import type { ClusterHosts, HostsWork } from './cluster-hosts.ts'
import { isMemberOf, removeEtcdMember } from './etcd-members.ts'
import { type LeftAs, leaveHost } from './leave-host.ts'
import type { Membership } from './membership.ts'

export interface DepartureOptions extends HostsWork {
  readonly context: RunContext
  readonly hosts: ClusterHosts
  readonly reach: HostsReach
  readonly membership: Membership
  readonly disruptions: Disruptions
}

const apiWithinMs = 10 * 60_000

/** Takes hosts out of the cluster: no host is special, and that each is gone is proven by another one. */
export class HostDeparture {
  readonly #options: DepartureOptions

  constructor(options: DepartureOptions) {
    this.#options = options
  }

  /**
   * Drains the node of a host, takes it out of etcd and Kubernetes, and leaves the host as it is wanted. A host that is
   * not reached is let go by the others alone. Throws `etcd-unhealthy` where etcd cannot do without it now.
   */
  async leave(name: string, role: string, leftAs: LeftAs, progress: PhaseProgress): Promise<void> {
    const { disruptions, membership } = this.#options
    const work = () =>
      disruptions.during(name, () => this.#leave(name, role === 'control-plane', leftAs, progress))
    await (role === 'control-plane' ? membership.oneAtATime(work) : work())
  }

  async #leave(
    name: string,
    isControlPlane: boolean,
    leftAs: LeftAs,
    progress: PhaseProgress,
  ): Promise<void> {
    const { reach, context, recorder, session } = this.#options
    await this.#noteBeginning(name)
    if (isControlPlane) {
      await this.#requireQuorumWithout(name)
      const others = reach.controlPlanes.filter((one) => one.name !== name)
      // The one that goes is asked last: it stops answering on the way.
      reach.use([...others, ...reach.controlPlanes.filter((one) => one.name === name)])
    }
    const { clock, signal, run } = context
    const kubernetes = await reach.kubernetes(apiWithinMs, (reason) => progress.step(reason))
    await emptyClusterNode(name, { kubernetes, clock, signal, progress, run: run.id })
    // One of two takes the quorum with it when it stops: kubeadm removes it before, and where nobody resets, we do.
    if (isControlPlane && leftAs === 'keep') await this.#leaveEtcd(name, progress)
    if (this.#isReached(name)) {
      progress.step(`${name}: ${leftAs === 'keep' ? 'stopping its kubelet' : 'resetting it'}`)
      const { hosts, view } = this.#options
      const { uid } = recorder.inventory
      const minutes = view.spec.kubeadm.timeoutMinutes.reset
      await leaveHost(await hosts.remote(name), { uid, leftAs, minutes })
    }
    if (isControlPlane) await this.#leaveEtcd(name, progress)
    await deleteNode(kubernetes, name)
    session.signal.throwIfAborted()
    forgetNode(recorder, name)
  }

  #isReached(name: string): boolean {
    return this.#options.view.hosts.get(name)?.kind === 'seen'
  }

  /** A member may only go where those that stay are a majority without anybody who is down. */
  async #requireQuorumWithout(name: string): Promise<void> {
    const { reach } = this.#options
    const { members } = await reach.members(name)
    const voters = members.filter(({ isLearner }) => !isLearner)
    const others = voters.filter((member) => member.name !== name)
    const down = others.filter(({ isHealthy }) => isHealthy !== true)
    const isMember = voters.length > others.length
    if (!isMember || (others.length > 0 && down.length === 0)) return
    throw new ClusterError(
      'etcd-unhealthy',
      others.length === 0
        ? `${name} has the only member of etcd: the cluster would end with it`
        : `etcd cannot do without ${name} while ${down.map((one) => one.name || one.id).join(', ')} does not answer`,
      {
        operation: 'take a member out of etcd',
        target: name,
        hint: 'Bring the other control planes back first, or remove the one that is dead before any that lives.',
      },
    )
  }

  /** `kubeadm reset` ends well also where the member stays: another control plane says whether it is gone. */
  async #leaveEtcd(name: string, progress: PhaseProgress): Promise<void> {
    const { reach, hosts, recorder } = this.#options
    const host = hosts.known(name)
    reach.use(reach.controlPlanes.filter((one) => one.name !== name))
    const { members } = await reach.members(name)
    for (const member of members.filter((one) => isMemberOf(one, host))) {
      await removeEtcdMember(member, name, { recorder, reach, progress })
    }
  }

  /** That it goes is written down before, so that whatever stops this run, the next plan shows it and finishes it. */
  async #noteBeginning(name: string): Promise<void> {
    const { recorder } = this.#options
    const known = recorder.inventory.nodes.find((node) => node.name === name)
    if (known?.host === undefined || known.host.membership === 'leaving') return
    recorder.record(
      `${name} leaves the cluster`,
      (inventory) => ({
        ...inventory,
        nodes: inventory.nodes.map((node) =>
          node.name === name && node.host
            ? { ...node, host: { ...node.host, membership: 'leaving' as const } }
            : node,
        ),
      }),
      {},
      [{ fact: 'node-removal-started', node: name }],
    )
    await recorder.flush()
  }
}
