import { ClusterError } from '../../lib/cluster-error.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import { waitFor } from '../../lib/wait-for.ts'
import type { ClusterNode } from '../../plan/cluster-node.ts'
import type { Inventory, InventoryNode } from '../../plan/inventory.ts'
import type { ClusterView } from '../../planner/hetzner-talos/cluster-view.ts'
import type { ClusterReach } from '../../run/hetzner-talos/cluster-reach.ts'
import type { RunContext } from '../../run/run-context.ts'
import type { StateRecorder } from '../../run/state-recorder.ts'
import type { Fact } from '../../store/files/journal.ts'
import type { ControlPlane } from '../../talos/control-plane.ts'
import type { MemberName } from '../../talos/etcd/etcd-member.ts'
import { leaveEtcdCluster } from '../../talos/etcd/leave-etcd.ts'
import { probeNode } from '../../talos/probe-node.ts'
import { dropFormerMember } from './configure-cluster-node.ts'
import { removeControlPlane } from './remove-control-plane.ts'

export interface EtcdMembersOptions {
  readonly context: RunContext
  readonly view: ClusterView
  readonly recorder: StateRecorder
  readonly reach: ClusterReach
  /** Names of the nodes that the plan makes where there is none: until it has, nobody can be asked there. */
  readonly missing: readonly string[]
}

/** How long the Kubernetes API, or a new server, may take to answer, in milliseconds. */
const answerWithinMs = 10 * 60_000

/** Takes control planes in and out of an etcd that runs, one after the other, in the order of the plan. */
export class EtcdMembers {
  readonly #options: EtcdMembersOptions
  readonly #running: boolean
  #dropped: Promise<void> | undefined

  constructor(options: EtcdMembersOptions) {
    const { recorder, reach, missing } = options
    this.#options = options
    this.#running = recorder.inventory.bootstrapped
    if (this.#running) for (const name of [...missing, ...leavingOf(options)]) reach.exclude(name)
  }

  /** Whether this node joins, or leaves, an etcd that runs already. */
  concerns({ role }: Pick<ClusterNode, 'role'>): boolean {
    return this.#running && role === 'control-plane'
  }

  /**
   * Sees a control plane out of etcd and Kubernetes. That it goes is written down before, since one that
   * has left never comes back by itself; that it is no member any more, afterwards. When this throws, its
   * server must stay.
   */
  async remove(name: string, progress: PhaseProgress): Promise<void> {
    const { context, recorder, reach } = this.#options
    const { clock, signal, run } = context
    const leavingServerId = reach.addresses.factsOf(name)?.serverId
    await this.#note(`${name} leaves etcd`, name, { leavingServerId }, [removal(name)])
    reach.exclude(name)
    const access = await reach.access()
    const address = reach.addresses.factsOf(name)?.publicIp
    await removeControlPlane({
      leaving: this.#memberName(name),
      client: address === undefined ? undefined : access.talos(address),
      staying: await this.#staying(name),
      besides: reach.absentControlPlanes().filter((node) => node.name !== name),
      kubernetes: await reach.kubernetes(answerWithinMs, progress),
      clock,
      signal,
      progress,
      run: run.id,
    })
    const known = recorder.inventory.nodes.find((node) => node.name === name)
    if (known?.configDigest === undefined) return
    const noMember = { configDigest: undefined, serverId: undefined }
    await this.#note(`${name} left etcd`, name, noMember)
  }

  /** Written when it returns. What the state does not know it does not come to know by this. */
  async #note(
    title: string,
    name: string,
    fields: Partial<InventoryNode>,
    facts: readonly Fact[] = [],
  ): Promise<void> {
    const { recorder } = this.#options
    const edit = (inventory: Inventory) => ({
      ...inventory,
      nodes: inventory.nodes.map((node) => (node.name === name ? { ...node, ...fields } : node)),
    })
    recorder.record(title, edit, {}, facts)
    await recorder.flush()
  }

  /** What must be so before a control plane may join: the dead have left, and etcd is healthy. */
  async beforeJoining(node: ClusterNode, progress: PhaseProgress): Promise<void> {
    this.#dropped ??= this.#dropLost(progress)
    await this.#dropped
    await this.#options.reach.waitForHealthyEtcd(node.name, progress)
  }

  /** A control plane that comes back empty has left a dead member in etcd, which goes before it joins. */
  async dropFormer(node: ClusterNode): Promise<void> {
    const { reach } = this.#options
    await dropFormerMember(node, reach.controlPlanes(), await reach.access())
  }

  /** Returns when the one that joined has a vote, and all is healthy. */
  async afterJoining(node: ClusterNode, progress: PhaseProgress): Promise<void> {
    const { reach } = this.#options
    reach.include(node.name)
    await reach.waitForHealthyEtcd(node.name, progress)
  }

  /**
   * As long as a member is dead nobody can join, so all that are go first: those whose servers are gone,
   * and those whose servers are new and empty. One that had joined unrecorded stays.
   */
  async #dropLost(progress: PhaseProgress): Promise<void> {
    const { context, view, reach } = this.#options
    const { clock, signal } = context
    for (const node of lostControlPlanes(view)) {
      if (await this.#hasJoined(node.name, progress)) continue
      await reach.waitForHealthyEtcd(node.name, progress)
      await this.#note(`${node.name} is taken out of etcd`, node.name, {}, [removal(node.name)])
      await leaveEtcdCluster({
        leaving: node,
        staying: await this.#staying(node.name),
        clock,
        signal,
        onPending: (reason) => progress.step(`${node.name}: ${reason}`),
      })
    }
  }

  /** Whether the new server of a node that was lost has its config already. */
  async #hasJoined(name: string, progress: PhaseProgress): Promise<boolean> {
    const { context, view, reach } = this.#options
    if (!view.hetzner.ids.has(`server/${name}`)) return false
    const { clock, signal } = context
    const { address } = reach.addresses.of(name)
    return waitFor(
      `${name} to answer`,
      async () => {
        const probe = await probeNode(address, { signal })
        if (probe.state === 'unreachable') return { pending: probe.reason }
        return { done: probe.state === 'configured' }
      },
      {
        clock,
        signal,
        everyMs: 1_000,
        withinMs: answerWithinMs,
        onPending: (reason) => progress.step(`${name}: ${reason}`),
      },
    )
  }

  async #staying(leaving: string): Promise<[ControlPlane, ...ControlPlane[]]> {
    const { reach } = this.#options
    const [first, ...others] = reach.controlPlanes().filter(({ name }) => name !== leaving)
    if (first) return (await reach.access()).controlPlanes([first, ...others])
    throw new ClusterError('etcd-unhealthy', 'no other control plane is left to speak for etcd', {
      operation: 'take a control plane out',
      target: leaving,
      hint: 'Raise nodes.controlPlane.count first, or restore etcd from a snapshot.',
    })
  }

  #memberName(name: string): MemberName {
    const { view } = this.#options
    const known = [...view.nodes, ...(view.generation?.inventory.nodes ?? [])]
    const server = view.hetzner.records.find((one) => one.kind === 'server' && one.name === name)
    const found = known.find((node) => node.name === name)
    return { name, privateIp: found?.privateIp ?? String(server?.spec['privateIp'] ?? '') }
  }
}

/** The control planes that another run was about to take out, on servers that are still there. */
function leavingOf({ view: { generation, hetzner } }: EtcdMembersOptions): string[] {
  return (generation?.inventory.nodes ?? [])
    .filter(
      ({ name, leavingServerId }) =>
        leavingServerId !== undefined && leavingServerId === hetzner.ids.get(`server/${name}`),
    )
    .map(({ name }) => name)
}

/** The control planes that were members, and whose servers are gone or others. */
function lostControlPlanes({ generation, hetzner }: ClusterView): MemberName[] {
  return (generation?.inventory.nodes ?? []).filter(
    ({ name, role, configDigest, serverId }) =>
      role === 'control-plane' &&
      configDigest !== undefined &&
      hetzner.ids.get(`server/${name}`) !== serverId,
  )
}

/** Written down before: a member that is gone cannot be asked whether we did it. */
function removal(node: string): Fact {
  return { fact: 'member-removed', node }
}
