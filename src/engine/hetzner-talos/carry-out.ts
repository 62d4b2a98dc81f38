import { createApplyContext, type HetznerApplyContext } from '../../hetzner/apply/apply-context.ts'
import { applyHetznerChange } from '../../hetzner/apply.ts'
import type { ApplyPhase } from '../../hetzner/kinds/hetzner-kind.ts'
import { kindsOf } from '../../hetzner/kinds/hetzner-kinds.ts'
import { desireImage } from '../../hetzner/kinds/image/image-record.ts'
import { liveImages } from '../../hetzner/kinds/image/live-images.ts'
import { resetServer } from '../../hetzner/kinds/server/server-power.ts'
import { poolOf } from '../../hetzner/pool-of.ts'
import { waitForNodesReady } from '../../kubernetes/nodes.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import { type Change, isSwitchedOn } from '../../plan/change.ts'
import type { ClusterNode } from '../../plan/cluster-node.ts'
import { recordResource } from '../../plan/inventory-resources.ts'
import { kindTraits, type RecordKind, recordKinds } from '../../plan/record.ts'
import { addonsOf } from '../../planner/hetzner-talos/addons-of.ts'
import type { ClusterView } from '../../planner/hetzner-talos/cluster-view.ts'
import { keptCordons } from '../../planner/hetzner-talos/kept-cordons.ts'
import { outOfService } from '../../planner/hetzner-talos/out-of-service.ts'
import { renewedField } from '../../planner/hetzner-talos/renew-authorities.ts'
import { ClusterReach } from '../../run/hetzner-talos/cluster-reach.ts'
import type { ClusterSession } from '../../run/hetzner-talos/cluster-session.ts'
import type { RunContext } from '../../run/run-context.ts'
import type { StateRecorder } from '../../run/state-recorder.ts'
import { schematicOf } from '../../talos/config/schematic.ts'
import { specForNewNode } from '../../talos/desire.ts'
import { isOutOfSpace } from '../../talos/etcd/etcd-health.ts'
import type { TalosPhase } from '../../talos/kinds/talos-kind.ts'
import { talosKindsOf } from '../../talos/kinds/talos-kinds.ts'
import { bindImage, claim } from '../claim.ts'
import { Disruptions } from '../disruptions.ts'
import { installAddons } from '../install-addons.ts'
import { type LeavingNodes, NodeDeparture } from '../node-departure.ts'
import { phasesByName } from '../phases-by-name.ts'
import { resumeService } from '../resume-service.ts'
import { type PlanPhase, runPlan } from '../run-plan.ts'
import { awaitFirstAnswer } from './await-first-answer.ts'
import { bootstrapPlannedEtcd } from './bootstrap-planned-etcd.ts'
import { buildPlannedImage } from './build-planned-image.ts'
import { configureClusterNode } from './configure-cluster-node.ts'
import { dropFormerNode } from './drop-former-node.ts'
import { EtcdMembers } from './etcd-members.ts'
import { NodeChange } from './node-change.ts'
import { renewNodes } from './renew-nodes.ts'

export interface CarryOutInput {
  readonly context: RunContext
  readonly session: ClusterSession
  readonly view: ClusterView
  readonly recorder: StateRecorder
  /** There is no etcd that could be asked, nor one that could be harmed: what a restore says. */
  readonly etcdLost?: boolean
}

/** What kinds name the phases of an apply. */
type PhaseName = Exclude<ApplyPhase | TalosPhase, 'none'> | 'addons'

/** In which people see them. */
const phaseOrder: readonly PhaseName[] = [
  'images',
  'secrets',
  'resources',
  'servers',
  'nodes',
  'etcd',
  'addons',
]

/** How long the Kubernetes API may take to answer after etcd was bootstrapped, in milliseconds. */
const kubernetesWithinMs = 15 * 60_000

/** How many servers that do not boot one run replaces: where more do not, it is not for the servers. */
const mostReplacements = 3

/** Makes the changes of an apply's plan. The list of phases is what an apply does, in the order in which people see it. */
export async function carryOut(changes: readonly Change[], input: CarryOutInput): Promise<void> {
  // What fails ends the waiting of the rest; what Hetzner was asked for is still seen through.
  const stop = new AbortController()
  const signal = AbortSignal.any([input.context.signal, stop.signal])
  await claim(changes, input.recorder, input.view.hetzner.records)
  using apply = new Apply(changes, { ...input, context: { ...input.context, signal } })
  await input.recorder.during(async () => {
    const ordered = await apply.resumeService()
    const { progress } = input.context
    await runPlan(ordered, apply.phases, progress, (failure) => stop.abort(failure))
  })
}

/** One run of an apply: what its phases share. */
class Apply implements Disposable {
  readonly #input: CarryOutInput
  readonly #changes: readonly Change[]
  readonly #hetzner: HetznerApplyContext
  readonly #reach: ClusterReach
  /** Servers whose successors must be healthy before the next one goes. */
  readonly #replaced: ReadonlySet<string>
  /** Takes control planes in and out of the etcd that runs. */
  readonly #members: EtcdMembers
  readonly #departure: NodeDeparture
  /** By name, the changes with which this run created servers. */
  readonly #created = new Map<string, Change>()
  #replacements = 0
  /** Whether Kubernetes was there before this run, and so may know nodes by servers that are gone. */
  readonly #wasRunning: boolean
  readonly #change: NodeChange
  readonly #disruptions: Disruptions
  /** Nodes that this run makes, whose servers it may have replaced before. */
  readonly #made: ReadonlySet<string>
  /** Nodes that this run gives another config. */
  readonly #changed: ReadonlySet<string>

  /** By the names that kinds give them: a phase that a kind names and that is missing here does not compile. */
  readonly #phases: Readonly<Record<PhaseName, PlanPhase>> = {
    images: {
      title: 'Build images',
      kinds: kindsOf('images'),
      run: { each: (c, p) => this.#image(c, p) },
    },
    secrets: {
      title: 'Mint or renew secrets',
      kinds: talosKindsOf('secrets'),
      run: { each: (c) => this.#secrets(c) },
    },
    resources: {
      title: 'Change Hetzner resources',
      kinds: kindsOf('resources'),
      run: { each: (c, p) => this.#resource(c, p) },
    },
    servers: {
      title: 'Change servers',
      kinds: kindsOf('servers'),
      run: { each: (c, p) => this.#server(c, p) },
    },
    nodes: {
      title: 'Configure nodes',
      kinds: talosKindsOf('nodes'),
      run: { each: (c, p) => this.#node(c, p) },
    },
    etcd: {
      title: 'Bootstrap etcd',
      kinds: talosKindsOf('etcd'),
      run: { each: (_c, p) => this.#etcd(p) },
    },
    addons: {
      title: 'Install addons',
      kinds: recordKinds.filter((kind) => kindTraits[kind].part === 'addon'),
      run: { together: (c, p) => this.#addons(c, p) },
    },
  }
  readonly phases = phasesByName(phaseOrder, this.#phases)

  constructor(changes: readonly Change[], input: CarryOutInput) {
    const { session, view, recorder, context } = input
    const { hetzner: live, spec } = view
    const identity = { clusterName: spec.clusterName, uid: recorder.inventory.uid }
    const { version } = spec.talos
    const images = [...new Set(view.nodes.map((node) => poolOf(spec, node).arch))].map((arch) =>
      desireImage({ arch, version, schematic: schematicOf(spec) }),
    )
    this.#input = input
    this.#changes = changes
    const namesOf = (wanted: Change['action'], kind: RecordKind) =>
      new Set(
        changes.flatMap(({ action, before, after }) => {
          const record = after ?? before
          return action === wanted && record?.kind === kind ? [record.name] : []
        }),
      )
    this.#replaced = namesOf('replace', 'server')
    this.#wasRunning = this.#hasEtcd()
    const used = liveImages(images, live)
    this.#hetzner = createApplyContext(session.hetzner, {
      identity,
      spec,
      live,
      liveImages: used,
    })
    for (const image of used) bindImage(recorder, image)
    this.#reach = new ClusterReach(context, session.store, view)
    const made = [...namesOf('create', 'node'), ...namesOf('replace', 'node')]
    // One that is replaced is there until its turn comes.
    const missing = made.filter((name) => !this.#replaced.has(name))
    this.#made = new Set(made)
    this.#changed = namesOf('update', 'node')
    this.#disruptions = new Disruptions(spec.upgrade.maxUnavailable, context.signal)
    const reach = this.#reach
    this.#members = new EtcdMembers({ context, view, recorder, reach, missing })
    this.#change = new NodeChange({
      input,
      reach,
      disruptions: this.#disruptions,
      kubernetesWithinMs,
      waitForHealthyEtcd: (change, progress, options) =>
        this.#waitForHealthyEtcd(change, progress, options),
    })
    this.#departure = new NodeDeparture({
      context,
      recorder,
      mode: leavingNodes(reach, this.#members),
      kubernetes: (progress) => reach.kubernetes(kubernetesWithinMs, progress),
      machinesGoing: namesOf('delete', 'server'),
      disruptions: this.#disruptions,
      spec,
    })
  }

  [Symbol.dispose](): void {
    this.#reach[Symbol.dispose]()
  }

  async resumeService(): Promise<readonly Change[]> {
    const { view, context, etcdLost = false } = this.#input
    const changes = this.#changes
    if (etcdLost) return changes
    const isFull = view.running?.alarms?.some(isOutOfSpace) ?? false
    const { away, cordoned } = outOfService(view, changes)
    const isControlPlane = (name: string) => {
      const node = view.generation?.inventory.nodes.find((one) => one.name === name)
      return node?.role === 'control-plane'
    }
    return await resumeService({
      changes,
      // While etcd takes nothing, no cordon can be taken off.
      nodes: { away, cordoned: isFull ? new Map() : cordoned },
      context,
      disruptions: this.#disruptions,
      isControlPlane,
      resume: async (name, progress) => {
        const staysCordoned = keptCordons(view, context.calendar.now()).has(name)
        const node = { name, isControlPlane: isControlPlane(name), staysCordoned }
        await this.#change.resume(node, progress)
      },
    })
  }

  async #image(change: Change, progress: PhaseProgress): Promise<void> {
    const id = await buildPlannedImage(change, this.#input, this.#hetzner.identity, progress)
    this.#hetzner.ids.set(change.key, id)
  }

  async #secrets({ action, fields }: Change): Promise<void> {
    if (action === 'create') return this.#reach.mintSecrets()
    if (fields.some(({ path }) => path === renewedField)) await this.#reach.renewAuthorities()
    if (fields.every(({ path }) => path === renewedField)) return
    // One generation does it all: it is done, or not begun.
    const title = 'Re-encrypt for the recipients of the cluster file'
    await this.#input.session.store.update(() => ({ reseal: true }), title)
  }

  async #resource(change: Change, progress: PhaseProgress): Promise<void> {
    const name = (change.after ?? change.before)?.name ?? ''
    const facts = await this.#applyHetzner(change, name, progress)
    if (change.after?.kind === 'load-balancer') this.#reach.learnLoadBalancer(facts)
  }

  /** Records the id as soon as there is one: from then on the state knows the resource, whatever it is called. */
  async #applyHetzner(change: Change, name: string, progress: PhaseProgress): Promise<JsonObject> {
    const { recorder } = this.#input
    // Not all replacements were planned: a server that never answered is replaced once.
    if (change.action === 'replace') await claim([change], recorder, [])
    const facts = await applyHetznerChange(change, this.#hetzner, (step) =>
      progress.step(`${name}: ${step}`),
    )
    const id = facts['id']
    recorder.record(`Note ${change.key}`, (inventory) =>
      recordResource(inventory, change, typeof id === 'number' ? id : undefined),
    )
    return facts
  }

  async #server(change: Change, progress: PhaseProgress): Promise<void> {
    const name = (change.after ?? change.before)?.name ?? ''
    if (change.action === 'replace') await this.#departure.leaveForAnother(change, progress)
    if (change.action === 'delete') await this.#departure.leaveWithMachine(change, progress)
    const stops = change.action === 'update' && change.risk !== 'live' && !isSwitchedOn(change)
    const act = () => this.#applyServer(change, progress)
    await (stops ? this.#change.stop(change, progress, act) : act())
    if (change.action === 'create' || change.action === 'replace') this.#created.set(name, change)
    if (change.action === 'delete') this.#departure.forget(name)
    if (this.#made.has(name) || this.#changed.has(name)) return
    // Nothing is done to its node in this run.
    if (change.action === 'update') await this.#seeInService(this.#nodeNamed(name), progress)
    this.#disruptions.end(name)
  }

  async #applyServer(change: Change, progress: PhaseProgress): Promise<void> {
    const name = (change.after ?? change.before)?.name ?? ''
    const facts = await this.#applyHetzner(change, name, progress)
    if (change.after) this.#reach.addresses.learn(name, facts)
  }

  async #node(change: Change, progress: PhaseProgress): Promise<void> {
    const name = (change.after ?? change.before)?.name ?? ''
    if (change.action === 'delete') return this.#departure.leaveAndForget(change, progress)
    const node = this.#nodeNamed(name)
    const { recorder, context, view } = this.#input
    const access = await this.#reach.access()
    const options = {
      node,
      secrets: await this.#reach.secrets(),
      named: await this.#reach.namedSecrets(),
      decided: this.#reach.decidedAddresses(),
      access,
      addresses: this.#reach.addresses,
      recorder,
      clock: context.clock,
      signal: context.signal,
      progress,
    }
    const isUnregistered = view.running?.unregistered?.has(name) ?? false
    if (change.action === 'update') {
      await this.#change.make(change, options)
      if (isUnregistered) await this.#register(name, progress)
      return this.#seeInService(node, progress)
    }
    await this.#seeItBoot(name, progress)
    const joins = this.#hasEtcd() && this.#members.concerns(node)
    if (joins) await this.#members.beforeJoining(node, progress)
    await configureClusterNode({
      ...options,
      spec: specForNewNode(view.spec, recorder.inventory),
      beforeHandOver: async () => {
        if (joins) await this.#members.dropFormer(node)
        if (this.#wasRunning) await this.#dropFormerNode(name, progress)
      },
    })
    if (joins) await this.#members.afterJoining(node, progress)
    if (isUnregistered) await this.#register(name, progress)
    if (!this.#disruptions.isHeld(name)) return
    // Without a network of ours nodes are Ready when the user has brought one, perhaps later.
    if (view.spec.cni.type !== 'none') await this.#waitUntilReady(name, progress)
    await this.#seeInService(node, progress)
  }

  /** Gives back the place of one that was out of service before. */
  async #seeInService(node: ClusterNode, progress: PhaseProgress): Promise<void> {
    if (!this.#disruptions.isHeld(node.name)) return
    await this.#change.settle(node, progress)
    this.#disruptions.end(node.name)
  }

  /** What stops a control plane, or may stop it, waits until etcd is healthy: before it, and after it. */
  async #waitForHealthyEtcd(
    { before }: Change,
    progress: PhaseProgress,
    { mayBeBroken = false }: { readonly mayBeBroken?: boolean } = {},
  ): Promise<void> {
    if (before?.spec['role'] !== 'control-plane') return
    if (!this.#hasEtcd()) return
    // One that is out of space must get the config that raises its quota.
    const spared = mayBeBroken ? before.name : undefined
    await this.#reach.waitForHealthyEtcd(before.name, progress, { mayBeFull: true, spared })
  }

  #hasEtcd(): boolean {
    const { recorder, etcdLost = false } = this.#input
    return recorder.inventory.bootstrapped && !etcdLost
  }

  /** What this run created holds nothing yet: where it does not boot, another server takes its place. */
  async #seeItBoot(name: string, progress: PhaseProgress): Promise<void> {
    const { context, session } = this.#input
    const { addresses } = this.#reach
    const created = this.#created.get(name)
    const mayReplace = created !== undefined && this.#replacements < mostReplacements
    await awaitFirstAnswer({
      name,
      address: () => addresses.of(name).address,
      reset: () => resetServer(session.hetzner, { id: addresses.of(name).serverId, name }),
      replace:
        created === undefined || !mayReplace
          ? undefined
          : async () => {
              this.#replacements++
              const facts = { id: addresses.of(name).serverId }
              const before = { kind: 'server' as const, name, spec: {}, needs: [], facts }
              await this.#applyServer({ ...created, action: 'replace', before }, progress)
            },
      clock: context.clock,
      signal: context.signal,
      progress,
    })
  }

  async #dropFormerNode(name: string, progress: PhaseProgress): Promise<void> {
    const kubernetes = await this.#reach.kubernetes(kubernetesWithinMs, progress)
    const { serverId } = this.#reach.addresses.of(name)
    if (await dropFormerNode(kubernetes, { name, serverId })) {
      progress.step(`${name}: the Node of its former server was deleted`)
    }
  }

  async #waitUntilReady(name: string, progress: PhaseProgress): Promise<void> {
    const { clock, signal } = this.#input.context
    if ((await this.#reach.etcdAlarms()).some(isOutOfSpace)) {
      progress.step(`${name}: Kubernetes takes no writes, so that it cannot become Ready now`)
      return
    }
    const kubernetes = await this.#reach.kubernetes(kubernetesWithinMs, progress)
    const { serverId } = this.#reach.addresses.of(name)
    await waitForNodesReady(kubernetes, [{ name, serverId }], {
      clock,
      signal,
      withinMs: kubernetesWithinMs,
      onPending: (reason) => progress.step(reason),
    })
  }

  /** A kubelet makes its Node only when it starts. */
  async #register(name: string, progress: PhaseProgress): Promise<void> {
    const { clock, signal } = this.#input.context
    const kubernetes = await this.#reach.kubernetes(kubernetesWithinMs, progress)
    const access = await this.#reach.access()
    const { addresses } = this.#reach
    await renewNodes([name], { kubernetes, access, addresses, clock, signal, progress })
  }

  #etcd(progress: PhaseProgress): Promise<void> {
    return bootstrapPlannedEtcd(this.#input, this.#reach, progress)
  }

  async #addons(changes: readonly Change[], progress: PhaseProgress): Promise<void> {
    const { context, recorder, view } = this.#input
    const kubernetes = await this.#reach.kubernetes(kubernetesWithinMs, progress)
    const { hetznerToken: token = '' } = context
    const credentials = { token, network: networkOf(view) }
    const given = { addonsOf, credentials, namedSecrets: () => this.#reach.namedSecrets() }
    await installAddons(context, { view, recorder, kubernetes, changes, ...given })
  }

  #nodeNamed(name: string): ClusterNode {
    const node = this.#input.view.nodes.find((candidate) => candidate.name === name)
    if (!node) throw new Error(`the plan has a node ${name} that the spec does not have`)
    const location = this.#created.get(name)?.after?.spec['location']
    return typeof location === 'string' ? { ...node, location } : node
  }
}

/** A node leaves with the server that it runs on: the state remembers which one that was. */
function leavingNodes({ addresses }: ClusterReach, members: EtcdMembers): LeavingNodes {
  return {
    isThere: (name) => addresses.factsOf(name) !== undefined,
    removeControlPlane: (name, progress) => members.remove(name, progress),
    leaving(node) {
      const leavingServerId = addresses.factsOf(node.name)?.serverId
      return node.leavingServerId === leavingServerId ? node : { ...node, leavingServerId }
    },
  }
}

/** By what Hetzner's controllers find the network: one that is lent to the cluster may be renamed by its owner. */
function networkOf({ spec, hetzner: { existingNetwork } }: ClusterView): string {
  return existingNetwork ? String(existingNetwork.id) : spec.clusterName
}
