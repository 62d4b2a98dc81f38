import type { KubernetesClient } from '../../kubernetes/kubernetes-client.ts'
import { createLimit } from '../../lib/limit.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import type { Change } from '../../plan/change.ts'
import type { ClusterNode } from '../../plan/cluster-node.ts'
import type { InventoryNode } from '../../plan/inventory.ts'
import type { ClusterView } from '../../planner/hetzner-talos/cluster-view.ts'
import { keptCordons } from '../../planner/hetzner-talos/kept-cordons.ts'
import { ClusterReach } from '../../run/hetzner-talos/cluster-reach.ts'
import type { ClusterSession } from '../../run/hetzner-talos/cluster-session.ts'
import { factoryOf } from '../../run/hetzner-talos/factory-of.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import type { StateRecorder } from '../../run/state-recorder.ts'
import { type Component, components } from '../../spec/component.ts'
import { installerImage, schematicOf } from '../../talos/config/schematic.ts'
import { specAsRunning } from '../../talos/desire.ts'
import { registerSchematic } from '../../talos/factory.ts'
import { manifestsName } from '../../talos/kinds/kubernetes/kubernetes-kind.ts'
import type { UpgradePhase } from '../../talos/kinds/talos-kind.ts'
import { upgradedKindsOf } from '../../talos/kinds/talos-kinds.ts'
import { pullImages } from '../../talos/pull-images.ts'
import { upgradeImages } from '../../talos/upgrade-images.ts'
import { waitForTalos } from '../../talos/wait-for-talos.ts'
import { phasesByName } from '../phases-by-name.ts'
import { releaseCordons } from '../release-cordons.ts'
import { type PlanPhase, runPlan } from '../run-plan.ts'
import { upgradeStep } from '../run-step.ts'
import { checkBeforeUpgrade } from './check-before-upgrade.ts'
import { configureClusterNode } from './configure-cluster-node.ts'
import { syncClusterManifests } from './sync-cluster-manifests.ts'
import { upgradeClusterNode } from './upgrade-cluster-node.ts'
import { upgradeComponent } from './upgrade-component.ts'

export interface RollInput {
  readonly context: RunContext
  readonly session: ClusterSession
  readonly view: ClusterView
  readonly recorder: StateRecorder
}

/** How long the Kubernetes API may take to answer, in milliseconds. */
const kubernetesWithinMs = 5 * 60_000
/** On how many nodes images are pulled at once. */
const pullsAtOnce = 8

/** Makes the changes of an upgrade's plan: one after the other, in its order, once the cluster is seen to be fit for it. */
export async function rollVersions(changes: readonly Change[], input: RollInput): Promise<void> {
  using roll = new Roll(input)
  const { progress } = input.context
  const { talos } = input.view.spec
  await input.recorder.during(async () => {
    await runPhase(progress, 'See that the cluster is fit for it', (phase) => roll.check(phase))
    if (talos.schematic === undefined && changes.some(({ after }) => after?.kind === 'node')) {
      const { clock, random, signal, endpoints } = input.context
      const endpoint = factoryOf(endpoints, talos)
      await registerSchematic(talos, { endpoint, clock, random, signal })
    }
    await runPhase(progress, 'Pull images', (phase) => roll.pull(changes, phase))
    await runPlan(changes, roll.phases, progress)
  })
}

class Roll implements Disposable {
  readonly #input: RollInput
  readonly #reach: ClusterReach

  readonly #phases: Readonly<Record<UpgradePhase, PlanPhase>> = {
    talos: {
      title: 'Upgrade Talos',
      kinds: upgradedKindsOf('talos'),
      run: { each: (c, p) => this.#talos(c, p) },
    },
    kubernetes: {
      title: 'Upgrade Kubernetes',
      kinds: upgradedKindsOf('kubernetes'),
      run: { each: (c, p) => this.#kubernetes(c, p) },
    },
  }
  readonly phases = phasesByName(['talos', 'kubernetes'], this.#phases)

  constructor(input: RollInput) {
    this.#input = input
    this.#reach = new ClusterReach(input.context, input.session.store, input.view)
  }

  [Symbol.dispose](): void {
    this.#reach[Symbol.dispose]()
  }

  async check(progress: PhaseProgress): Promise<void> {
    const { view, context, recorder } = this.#input
    const known = recorder.inventory.nodes.filter((node) => node.configDigest !== undefined)
    await checkBeforeUpgrade({
      spec: view.spec,
      nodes: known,
      controlPlanes: await this.#controlPlanes(),
      kubernetes: () => this.#client(progress),
      clock: context.clock,
      signal: context.signal,
      progress,
    })
    // What a former run left cordoned is rolled by this one, or free again.
    const kept = keptCordons(view, context.calendar.now())
    await releaseCordons(await this.#client(progress), kept, progress)
  }

  /** Before anything is stopped: a registry that does not answer, or a version that there is not, ends it here. */
  async pull(changes: readonly Change[], progress: PhaseProgress): Promise<void> {
    const { view, context } = this.#input
    const { clock, signal } = context
    const access = await this.#reach.access()
    const limit = createLimit(pullsAtOnce)
    const pulls = view.nodes.map((node) => async () => {
      const images = upgradeImages(view.spec, node, changes)
      if (images.length === 0) return
      const { name } = node
      await upgradeStep({ node: name, step: 'pull images', progress }, async (onPending) => {
        const client = access.talos(this.#reach.addresses.of(name).address)
        await waitForTalos(
          `${name} to pull images`,
          async () => {
            await pullImages(client, { name, images })
            return { done: true }
          },
          { clock, signal, onPending },
          { defaultMs: kubernetesWithinMs, hint: 'Look at the console of the server.' },
        )
      })
    })
    await Promise.all(pulls.map((pull) => limit(pull)))
  }

  async #talos({ after }: Change, progress: PhaseProgress): Promise<void> {
    const { context, session, view, recorder } = this.#input
    const node = this.#nodeNamed(after?.name)
    const { clock, signal, redactor, run } = context
    const { version } = view.spec.talos
    const schematic = schematicOf(view.spec)
    const access = await this.#reach.access()
    await upgradeClusterNode({
      name: node.name,
      client: access.talos(this.#reach.addresses.of(node.name).address),
      spec: view.spec,
      schematic,
      image: installerImage(view.spec),
      controlPlanes: await this.#controlPlanes(),
      kubernetes: await this.#client(progress),
      redactor,
      clock,
      signal,
      progress,
      run: run.id,
      writeDown: (former) => this.#writeDown(node.name, former),
    })
    // The config names the installer of its version: it follows, or the next plan would differ.
    const known = recorder.inventory.nodes.find(({ name }) => name === node.name)
    const running = specAsRunning(view.spec, known, recorder.inventory)
    const secrets = await this.#reach.secrets()
    const named = await this.#reach.namedSecrets()
    await upgradeStep(
      { node: node.name, step: 'give it the config of its version', progress },
      () =>
        configureClusterNode({
          spec: { ...running, talos: view.spec.talos },
          formerTalosVersion: formerTalosOf(known, version),
          node,
          secrets,
          named,
          decided: this.#reach.decidedAddresses(),
          access,
          addresses: this.#reach.addresses,
          recorder,
          clock,
          signal,
          progress,
        }),
    )
    await recorder.flush()
    await session.store.record({
      fact: 'upgrade-finished',
      node: node.name,
      detail: { version },
    })
  }

  /** A run that ends before the node is recorded would lose what a rollback of it boots. */
  async #writeDown(name: string, former: string): Promise<void> {
    const { view, recorder } = this.#input
    const { version } = view.spec.talos
    const installing = { from: former, to: version }
    recorder.record(
      `Begin to upgrade ${name} to Talos ${version}`,
      (inventory) => ({
        ...inventory,
        nodes: inventory.nodes.map((node) => (node.name === name ? { ...node, installing } : node)),
      }),
      {},
      [{ fact: 'upgrade-started', node: name, detail: { version } }],
    )
    await recorder.flush()
  }

  async #kubernetes({ after }: Change, progress: PhaseProgress): Promise<void> {
    if (after?.kind === 'kubelet') {
      return this.#component('kubelet', this.#nodeNamed(after.name), progress)
    }
    if (after?.name === manifestsName) return this.#manifests(progress)
    const component = components.find((known) => known === after?.name)
    if (!component) throw new Error(`the plan has a component ${after?.name} that nobody knows`)
    const controlPlanes = this.#input.view.nodes.filter(({ role }) => role === 'control-plane')
    for (const node of controlPlanes.filter(({ name }) => this.#isConfigured(name))) {
      await this.#component(component, node, progress)
    }
  }

  async #component(
    component: Component,
    node: ClusterNode,
    progress: PhaseProgress,
  ): Promise<void> {
    const { context, view, recorder } = this.#input
    await upgradeComponent({
      spec: view.spec,
      component,
      node,
      secrets: await this.#reach.secrets(),
      named: await this.#reach.namedSecrets(),
      decided: this.#reach.decidedAddresses(),
      access: await this.#reach.access(),
      addresses: this.#reach.addresses,
      recorder,
      kubernetes: await this.#client(progress),
      clock: context.clock,
      signal: context.signal,
      progress,
    })
  }

  async #manifests(progress: PhaseProgress): Promise<void> {
    const { context, session, view, recorder } = this.#input
    const { version } = view.spec.kubernetes
    await syncClusterManifests({
      controlPlanes: await this.#controlPlanes(),
      kubernetes: await this.#client(progress),
      inventory: recorder.inventory,
      clock: context.clock,
      signal: context.signal,
      progress,
    })
    recorder.record(`Kubernetes ${version} runs everywhere`, (inventory) => ({
      ...inventory,
      manifestsVersion: version,
    }))
    await recorder.flush()
    await session.store.record({ fact: 'upgrade-finished', detail: { kubernetes: version } })
  }

  async #controlPlanes() {
    const [first, ...others] = this.#reach.controlPlanes()
    if (!first) throw new Error('a cluster without a control plane passed the checks')
    return (await this.#reach.access()).controlPlanes([first, ...others])
  }

  #client(progress: PhaseProgress): Promise<KubernetesClient> {
    return this.#reach.kubernetes(kubernetesWithinMs, progress)
  }

  #isConfigured(name: string): boolean {
    const known = this.#input.recorder.inventory.nodes.find((node) => node.name === name)
    return known?.configDigest !== undefined
  }

  #nodeNamed(name: string | undefined): ClusterNode {
    const node = this.#input.view.nodes.find((candidate) => candidate.name === name)
    if (!node) throw new Error(`an upgrade of a node ${name} that the spec does not have`)
    return node
  }
}

/**
 * What a node ran before it was upgraded to this version, by this run or by one before it. Where that was cut off and
 * it was installed twice, a rollback boots this version once more, which reads all that the former one does.
 */
function formerTalosOf(known: InventoryNode | undefined, version: string): string | undefined {
  const { installing, talosVersion } = known ?? {}
  return installing?.to === version ? installing.from : talosVersion
}
