import { syncTaints } from '../../kubernetes/sync-taints.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import { type Change, type Risk, risks } from '../../plan/change.ts'
import type { ClusterNode } from '../../plan/cluster-node.ts'
import type { ClusterReach } from '../../run/hetzner-talos/cluster-reach.ts'
import { fillConfig } from '../../talos/config/named-secrets.ts'
import { registeredTaints } from '../../talos/config/registered-taints.ts'
import { specAsRunning } from '../../talos/desire.ts'
import { isOutOfSpace } from '../../talos/etcd/etcd-health.ts'
import type { Disruptions } from '../disruptions.ts'
import { returnToService, takeOutOfService, waitUntilHealthy } from '../node-service.ts'
import { nodeSteps, plainSteps } from '../run-step.ts'
import type { CarryOutInput } from './carry-out.ts'
import { changeClusterNode } from './change-cluster-node.ts'
import { type ConfigureClusterNodeOptions, configureClusterNode } from './configure-cluster-node.ts'
import { type TalosNodeService, talosNodeService } from './talos-node-service.ts'

export interface NodeChangeOptions {
  readonly input: CarryOutInput
  readonly reach: ClusterReach
  readonly disruptions: Disruptions
  /** How long the Kubernetes API may take to answer, in milliseconds. */
  readonly kubernetesWithinMs: number
  /** Returns when etcd can do without a control plane; at once for a worker. */
  readonly waitForHealthyEtcd: (
    change: Change,
    progress: PhaseProgress,
    options?: { readonly mayBeBroken?: boolean },
  ) => Promise<void>
}

/** What the change of a node's config takes from the run. */
type Handed = Omit<
  ConfigureClusterNodeOptions,
  'spec' | 'mode' | 'beforeHandOver' | 'afterHandOver'
>

/** Gives nodes that run their new machine configs: those that restart something, one after the other. */
export class NodeChange {
  readonly #options: NodeChangeOptions

  constructor(options: NodeChangeOptions) {
    this.#options = options
  }

  async make(change: Change, handed: Handed): Promise<void> {
    if (!this.#runs()) return this.#configure(change, handed)
    const { disruptions } = this.#options
    const { name } = handed.node
    await this.#changeTaints(handed.node, handed.progress)
    if (await this.#isFull(handed.node)) {
      return disruptions.during(name, () => this.#changeFull(change, handed))
    }
    if (await this.#isOnlyEtcdDown(handed)) {
      return disruptions.during(name, () => this.#changeOnlyEtcd(change, handed))
    }
    const work = () => this.#change(change, handed)
    return isAtLeast(change.risk, 'restart') ? disruptions.during(name, work) : work()
  }

  /** A Kubernetes whose etcd takes no writes can cordon and drain nobody. */
  async #isFull({ role }: ClusterNode): Promise<boolean> {
    return role === 'control-plane' && (await this.#options.reach.etcdAlarms()).some(isOutOfSpace)
  }

  async #isOnlyEtcdDown({ node: { name, role }, progress }: Handed): Promise<boolean> {
    return role === 'control-plane' && this.#options.reach.isOnlyEtcdDown(name, progress)
  }

  /** What repairs it may be in this very config: without etcd there is no Kubernetes that could drain anything. */
  async #changeOnlyEtcd(change: Change, handed: Handed): Promise<void> {
    const { name } = handed.node
    handed.progress.step(
      `${name}: its etcd, the only one, does not run: it is changed without a drain`,
    )
    await this.#configure(change, handed)
    await this.#options.waitForHealthyEtcd(change, handed.progress)
  }

  /** The way out of that may be in this very config: it comes without a drain, one member after the other. */
  async #changeFull(change: Change, handed: Handed): Promise<void> {
    const { name } = handed.node
    handed.progress.step(`${name}: etcd is out of space, so it is changed without a drain`)
    await this.#options.waitForHealthyEtcd(change, handed.progress)
    await this.#configure(change, handed)
    await this.#options.waitForHealthyEtcd(change, handed.progress)
  }

  /** Does what stops the server of a node: drained before, and in service again after, where it is in the cluster. */
  stop(change: Change, progress: PhaseProgress, act: () => Promise<void>): Promise<void> {
    const { input, disruptions, waitForHealthyEtcd } = this.#options
    const { name = '' } = change.before ?? {}
    const known = input.recorder.inventory.nodes.find((node) => node.name === name)
    if (!this.#runs() || known?.configDigest === undefined) return act()
    return disruptions.during(name, async () => {
      const service = await this.#serviceOf(name, known.role === 'control-plane', progress)
      const untilHealthy = () => waitForHealthyEtcd(change, progress)
      await takeOutOfService(service, untilHealthy)
      await act()
      await returnToService(service)
      await untilHealthy()
    })
  }

  /** Sees a node that took the place of another in service: its components, Kubernetes and its agents. */
  async settle({ name, role }: ClusterNode, progress: PhaseProgress): Promise<void> {
    if (!this.#runs() || (await this.#options.reach.etcdAlarms()).some(isOutOfSpace)) return
    await returnToService(await this.#serviceOf(name, role === 'control-plane', progress))
  }

  /** Sees a node in service that an earlier run stopped; a cordon that is still wanted stays. */
  async resume(
    node: {
      readonly name: string
      readonly isControlPlane: boolean
      readonly staysCordoned: boolean
    },
    progress: PhaseProgress,
  ): Promise<void> {
    const named = await this.#serviceOf(node.name, node.isControlPlane, progress)
    const service = { ...named, step: plainSteps(node.name, progress) }
    await (node.staysCordoned ? waitUntilHealthy(service) : returnToService(service))
  }

  /** Without an etcd nothing on a node can be healthy, and there is nobody to drain it for. */
  #runs(): boolean {
    const { recorder, etcdLost = false } = this.#options.input
    return recorder.inventory.bootstrapped && !etcdLost
  }

  async #configure(change: Change, handed: Handed): Promise<void> {
    await configureClusterNode({ ...handed, spec: this.#specOf(handed), mode: modeOf(change) })
  }

  #specOf({ node }: Handed) {
    const { view, recorder } = this.#options.input
    const known = recorder.inventory.nodes.find(({ name }) => name === node.name)
    return specAsRunning(view.spec, known, recorder.inventory)
  }

  async #serviceOf(
    name: string,
    isControlPlane: boolean,
    progress: PhaseProgress,
  ): Promise<TalosNodeService> {
    const { input, reach, kubernetesWithinMs } = this.#options
    const { context, view } = input
    const access = await reach.access()
    return talosNodeService({
      name,
      isControlPlane,
      client: access.talos(reach.addresses.of(name).address),
      spec: view.spec,
      kubernetes: await reach.kubernetes(kubernetesWithinMs, progress),
      redactor: context.redactor,
      clock: context.clock,
      signal: context.signal,
      progress,
      run: context.run.id,
      step: nodeSteps('apply', name, progress),
    })
  }

  async #change(change: Change, handed: Handed): Promise<void> {
    const { input, reach, kubernetesWithinMs, waitForHealthyEtcd } = this.#options
    const { context, session } = input
    const { node, progress } = handed
    await changeClusterNode({
      ...handed,
      spec: this.#specOf(handed),
      mode: modeOf(change),
      fields: change.fields.map(({ path }) => path),
      kubernetes: () => reach.kubernetes(kubernetesWithinMs, progress),
      waitForHealthyEtcd: () => waitForHealthyEtcd(change, progress),
      waitForSparedEtcd: () => waitForHealthyEtcd(change, progress, { mayBeBroken: true }),
      recorded: async () => {
        const text = await session.store.readNodeConfig(node.name)
        return text && fillConfig(text, handed.named)
      },
      run: context.run.id,
    })
  }

  /** Workers keep for life the taints that they registered with: others are given through Kubernetes. */
  async #changeTaints(
    { name, role, taints: wanted }: ClusterNode,
    progress: PhaseProgress,
  ): Promise<void> {
    if (role !== 'worker') return
    const { input, reach, kubernetesWithinMs } = this.#options
    const { session, context } = input
    const former = registeredTaints((await session.store.readNodeConfig(name)) ?? '')
    if (JSON.stringify(former) === JSON.stringify(wanted)) return
    const kubernetes = await reach.kubernetes(kubernetesWithinMs, progress)
    const taints = { former, wanted }
    if (await syncTaints(kubernetes, name, taints, context)) progress.step(`${name}: other taints`)
  }
}

function modeOf({ risk }: Change) {
  return isAtLeast(risk, 'reboot') ? ('auto' as const) : ('no-reboot' as const)
}

function isAtLeast(risk: Risk, least: Risk): boolean {
  return risks.indexOf(risk) >= risks.indexOf(least)
}
