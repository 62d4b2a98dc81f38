import type { KubernetesClient } from '../kubernetes/kubernetes-client.ts'
import { getNode } from '../kubernetes/nodes.ts'
import type { PhaseProgress } from '../lib/progress.ts'
import type { Change } from '../plan/change.ts'
import type { InventoryNode } from '../plan/inventory.ts'
import type { ClusterRecord } from '../plan/record.ts'
import type { RunContext } from '../run/run-context.ts'
import type { StateRecorder } from '../run/state-recorder.ts'
import type { CommonSpec } from '../spec/common-spec.ts'
import type { Disruptions } from './disruptions.ts'
import { forgetNode } from './forget-node.ts'
import { removeClusterNode } from './remove-cluster-node.ts'
import { nodeSteps } from './run-step.ts'
import { waitForGates } from './wait-for-gates.ts'

/** What a mode knows of a node that leaves, and does with it. */
export interface LeavingNodes {
  /** Whether the machine is there that the node runs on. */
  isThere(name: string): boolean
  /** Takes a control plane out of etcd and Kubernetes. When this throws, its machine must stay. */
  removeControlPlane(name: string, progress: PhaseProgress): Promise<void>
  /** The node as the state knows it once its removal has begun; the very same where the state says so already. */
  leaving(node: InventoryNode): InventoryNode
}

export interface NodeDepartureOptions {
  readonly context: Pick<RunContext, 'clock' | 'signal' | 'run'>
  readonly recorder: StateRecorder
  readonly mode: LeavingNodes
  /** The Kubernetes API, waited for until it answers. */
  readonly kubernetes: (progress: PhaseProgress) => Promise<KubernetesClient>
  /** Machines that go with their nodes, by name. */
  readonly machinesGoing: ReadonlySet<string>
  readonly disruptions: Disruptions
  readonly spec: CommonSpec
}

/** Takes nodes out of their cluster, and out of the state that knows them, in any mode. */
export class NodeDeparture {
  readonly #options: NodeDepartureOptions

  constructor(options: NodeDepartureOptions) {
    this.#options = options
  }

  /**
   * Takes a node out of its cluster, where there is one, when its turn comes. Its place among those that may be
   * stopped is kept until another has taken its own. When this throws, its machine must stay.
   */
  async leaveForAnother({ before }: Change, progress: PhaseProgress): Promise<void> {
    const { disruptions, recorder } = this.#options
    if (before === undefined || !recorder.inventory.bootstrapped) return
    await disruptions.begin(before.name)
    await this.#leave(before, progress)
  }

  /** The same for one that leaves for good. */
  async #leaveForGood({ before }: Change, progress: PhaseProgress): Promise<void> {
    const { disruptions, recorder, mode } = this.#options
    if (before === undefined || !recorder.inventory.bootstrapped) return
    const { name } = before
    const leave = () => this.#leave(before, progress)
    // Nothing is stopped where the machine is gone already, and who comes back may wait for just this.
    await (mode.isThere(name) ? disruptions.during(name, leave) : leave())
    disruptions.end(name)
  }

  async #leave({ name, spec: { role } }: ClusterRecord, progress: PhaseProgress): Promise<void> {
    const { context, mode } = this.#options
    await this.#waitForGates(name, progress)
    if (role === 'control-plane') return mode.removeControlPlane(name, progress)
    await this.#noteBeginning(name)
    const { clock, signal, run } = context
    const kubernetes = await this.#options.kubernetes(progress)
    await removeClusterNode(name, { kubernetes, clock, signal, progress, run: run.id })
  }

  /** What a gate watches may be broken because of this very node: one that is dead is replaced all the same. */
  async #waitForGates(name: string, progress: PhaseProgress): Promise<void> {
    const { context, spec } = this.#options
    if (spec.upgrade.gates.length === 0) return
    const kubernetes = await this.#options.kubernetes(progress)
    const node = await getNode(kubernetes, name)
    if (node === undefined || node.silent) return
    const { clock, signal } = context
    const step = nodeSteps('apply', name, progress)
    await waitForGates({ spec, kubernetes, clock, signal, step })
  }

  /** What the state knows no more has left already, but for a control plane: that one is looked for again in etcd. */
  async leaveWithMachine(change: Change, progress: PhaseProgress): Promise<void> {
    const { name, spec } = change.before ?? {}
    const isKnown = this.#options.recorder.inventory.nodes.some((node) => node.name === name)
    if (isKnown || spec?.['role'] === 'control-plane') await this.#leaveForGood(change, progress)
  }

  async leaveAndForget(change: Change, progress: PhaseProgress): Promise<void> {
    await this.#leaveForGood(change, progress)
    const { name = '' } = change.before ?? {}
    // As long as its machine stands, nobody may take it for one that can be used again.
    if (!this.#options.machinesGoing.has(name)) this.forget(name)
  }

  /**
   * A worker that was drained and that Kubernetes has forgotten looks like one that runs: that it goes is
   * written down before, so that whatever stops this run, the next plan shows it and finishes it.
   */
  async #noteBeginning(name: string): Promise<void> {
    const { recorder, mode } = this.#options
    const known = recorder.inventory.nodes.find((node) => node.name === name)
    const leaving = known && mode.leaving(known)
    if (!leaving || leaving === known) return
    recorder.record(
      `${name} leaves the cluster`,
      (inventory) => ({
        ...inventory,
        nodes: inventory.nodes.map((node) => (node.name === name ? mode.leaving(node) : node)),
      }),
      {},
      [{ fact: 'node-removal-started', node: name }],
    )
    await recorder.flush()
  }

  /** The state knows the node no more. */
  forget(name: string): void {
    forgetNode(this.#options.recorder, name)
  }
}
