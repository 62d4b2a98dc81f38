import { getNode } from '../../kubernetes/nodes.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import type { Change } from '../../plan/change.ts'
import type { ClusterRecord } from '../../plan/record.ts'
import type { ClusterReach } from '../../run/hetzner-talos/cluster-reach.ts'
import type { RunContext } from '../../run/run-context.ts'
import type { StateRecorder } from '../../run/state-recorder.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import type { Disruptions } from '../disruptions.ts'
import { removeClusterNode } from '../remove-cluster-node.ts'
import { nodeSteps } from '../run-step.ts'
import { waitForGates } from '../wait-for-gates.ts'
import type { EtcdMembers } from './etcd-members.ts'

export interface NodeDepartureOptions {
  readonly context: RunContext
  readonly recorder: StateRecorder
  readonly reach: ClusterReach
  readonly members: EtcdMembers
  /** How long the Kubernetes API may take to answer, in milliseconds. */
  readonly kubernetesWithinMs: number
  /** Servers that go with their nodes, by name. */
  readonly serversGoing: ReadonlySet<string>
  readonly disruptions: Disruptions
  readonly spec: ClusterSpec
}

/** Takes nodes out of their cluster, and out of the state that knows them. */
export class NodeDeparture {
  readonly #options: NodeDepartureOptions

  constructor(options: NodeDepartureOptions) {
    this.#options = options
  }

  /**
   * Takes a node out of its cluster, where there is one, when its turn comes. Its place among those that may be
   * stopped is kept until another has taken its own. When this throws, its server must stay.
   */
  async leaveForAnother({ before }: Change, progress: PhaseProgress): Promise<void> {
    const { disruptions, recorder } = this.#options
    if (before === undefined || !recorder.inventory.bootstrapped) return
    await disruptions.begin(before.name)
    await this.#leave(before, progress)
  }

  /** The same for one that leaves for good. */
  async #leaveForGood({ before }: Change, progress: PhaseProgress): Promise<void> {
    const { disruptions, recorder, reach } = this.#options
    if (before === undefined || !recorder.inventory.bootstrapped) return
    const { name } = before
    const leave = () => this.#leave(before, progress)
    // Nothing is stopped where the server is gone already, and who comes back may wait for just this.
    const isThere = reach.addresses.factsOf(name) !== undefined
    await (isThere ? disruptions.during(name, leave) : leave())
    disruptions.end(name)
  }

  async #leave({ name, spec: { role } }: ClusterRecord, progress: PhaseProgress): Promise<void> {
    const { context, reach, members, kubernetesWithinMs } = this.#options
    await this.#waitForGates(name, progress)
    if (role === 'control-plane') return members.remove(name, progress)
    await this.#noteBeginning(name)
    const { clock, signal, run } = context
    const kubernetes = await reach.kubernetes(kubernetesWithinMs, progress)
    await removeClusterNode(name, { kubernetes, clock, signal, progress, run: run.id })
  }

  /** What a gate watches may be broken because of this very node: one that is dead is replaced all the same. */
  async #waitForGates(name: string, progress: PhaseProgress): Promise<void> {
    const { context, reach, spec, kubernetesWithinMs } = this.#options
    if (spec.upgrade.gates.length === 0) return
    const kubernetes = await reach.kubernetes(kubernetesWithinMs, progress)
    const node = await getNode(kubernetes, name)
    if (node === undefined || node.silent) return
    const { clock, signal } = context
    const step = nodeSteps('apply', name, progress)
    await waitForGates({ spec, kubernetes, clock, signal, step })
  }

  /** What the state knows no more has left already, but for a control plane: that one is looked for again in etcd. */
  async leaveWithServer(change: Change, progress: PhaseProgress): Promise<void> {
    const { name, spec } = change.before ?? {}
    const isKnown = this.#options.recorder.inventory.nodes.some((node) => node.name === name)
    if (isKnown || spec?.['role'] === 'control-plane') await this.#leaveForGood(change, progress)
  }

  async leaveAndForget(change: Change, progress: PhaseProgress): Promise<void> {
    await this.#leaveForGood(change, progress)
    const { name = '' } = change.before ?? {}
    // As long as its server stands, nobody may take it for one that can be used again.
    if (!this.#options.serversGoing.has(name)) this.forget(name)
  }

  /**
   * A worker that was drained and that Kubernetes has forgotten looks like one that runs: that it goes is
   * written down before, so that whatever stops this run, the next plan shows it and finishes it.
   */
  async #noteBeginning(name: string): Promise<void> {
    const { recorder, reach } = this.#options
    const leavingServerId = reach.addresses.factsOf(name)?.serverId
    const known = recorder.inventory.nodes.find((node) => node.name === name)
    if (!known || known.leavingServerId === leavingServerId) return
    recorder.record(
      `${name} leaves the cluster`,
      (inventory) => ({
        ...inventory,
        nodes: inventory.nodes.map((node) =>
          node.name === name ? { ...node, leavingServerId } : node,
        ),
      }),
      {},
      [{ fact: 'node-removal-started', node: name }],
    )
    await recorder.flush()
  }

  /** The state knows the node no more. */
  forget(name: string): void {
    const { recorder } = this.#options
    if (!recorder.inventory.nodes.some((node) => node.name === name)) return
    recorder.record(
      `Forget ${name}`,
      (inventory) => ({
        ...inventory,
        nodes: inventory.nodes.filter((node) => node.name !== name),
      }),
      { [name]: undefined },
    )
  }
}
