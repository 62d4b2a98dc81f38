import type { TalosNode } from '../talos-node.ts'
import {
  type ComponentSettings,
  type StaticComponent,
  staticComponents,
} from './component-settings.ts'
import { isDeniedByTalos, refusalOf } from './refuse-settings.ts'

/** One static pod of a control plane, from one rendering to the next. */
export interface StaticPod {
  readonly component: StaticComponent
  readonly settings: ComponentSettings
  /** What the pod that is there was rendered from: older settings where Talos refuses the present ones. */
  readonly runs: ComponentSettings
  readonly image: string | undefined
  /** Counts the renderings of this boot, as the version of Talos's resource does. */
  readonly configVersion: number
  /** Of the pod that runs: an older one where Talos does not render these settings. */
  renderedVersion: number
  renderedAt: number
  /** Whether the container is the one of a former rendering. */
  readonly isKept: boolean
  containerId: string
  startedAt: number | undefined
  /** How often it ended by itself. */
  exits: number
  lastStartedAt: number | undefined
  readonly log: string[]
}

/** How long Talos takes to render a pod again after it answered that it has the config, in milliseconds. */
const renderMs = 1_500
/** How long a static pod takes to come up again after its settings changed, in milliseconds. */
const restartMs = 1_500
/** How long kubelets wait before they start a container again that ended. */
const backOffMs = [10_000, 20_000, 40_000, 80_000]

/** The static pods of one control plane node: each rendered from the config, started, and ended by what it refuses. */
export class StaticPods {
  readonly #node: TalosNode
  readonly #pods = new Map<StaticComponent, StaticPod>()
  /** Those that Talos is about to render again. */
  readonly #stale = new Set<StaticComponent>()

  constructor(node: TalosNode) {
    this.#node = node
  }

  all(): StaticPod[] {
    return staticComponents.flatMap((component) => this.#pods.get(component) ?? [])
  }

  /** What a pod was rendered from. */
  runs(component: StaticComponent): ComponentSettings | undefined {
    return this.#pods.get(component)?.runs
  }

  isUp(component: StaticComponent): boolean {
    return this.#pods.get(component)?.startedAt !== undefined
  }

  /** The image of the pod that is there. */
  image(component: StaticComponent): string | undefined {
    return this.#pods.get(component)?.image
  }

  /** Starts what is not there, and a little later restarts what the config in effect wants otherwise. */
  reconcile(): void {
    for (const component of staticComponents) this.#reconcileOne(component)
  }

  /** They end with the node, or with its etcd. */
  stop(): void {
    this.#pods.clear()
  }

  #reconcileOne(component: StaticComponent): void {
    const before = this.#pods.get(component)
    if (before === undefined) {
      this.#render(component)
      return
    }
    if (before.isKept && !this.#keeps(component)) {
      this.#start({ ...before, isKept: false, startedAt: undefined, exits: 0, log: [] })
    }
    const wanted = this.#node.config?.components[component]?.rendering
    if (before.settings.rendering === wanted || this.#stale.has(component)) return
    this.#stale.add(component)
    const { world, signal } = this.#node
    this.#node.background(async () => {
      try {
        await world.clock.sleep(renderMs, signal)
      } finally {
        this.#stale.delete(component)
      }
      this.#render(component)
    })
  }

  #render(component: StaticComponent): void {
    const node = this.#node
    const settings = node.config?.components[component]
    const before = this.#pods.get(component)
    if (settings === undefined || before?.settings.rendering === settings.rendering) return
    const configVersion = (before?.configVersion ?? 0) + 1
    if (before !== undefined && isDeniedByTalos(component, settings, node.version)) {
      this.#pods.set(component, { ...before, settings, configVersion })
      node.serviceChanged('kubelet')
      return
    }
    const pod: StaticPod = {
      component,
      settings,
      runs: settings,
      image: node.config?.staticPods.find((one) => one.component === component)?.image,
      configVersion,
      renderedVersion: configVersion,
      renderedAt: node.world.clock.now(),
      isKept: before !== undefined && this.#keeps(component),
      containerId: '',
      startedAt: undefined,
      exits: 0,
      lastStartedAt: undefined,
      log: [],
    }
    if (before !== undefined && pod.isKept) {
      const { containerId, startedAt, exits, lastStartedAt, log } = before
      this.#pods.set(component, { ...pod, containerId, startedAt, exits, lastStartedAt, log })
    } else this.#start(pod, before === undefined)
    if (before !== undefined) node.state.changed()
  }

  #start(pod: StaticPod, isFirst = false): void {
    this.#pods.set(pod.component, pod)
    this.#node.background(() => this.#run(pod, isFirst))
  }

  /** Whether the kubelet holds on to the container that it has. */
  #keeps(component: StaticComponent): boolean {
    const { state, name } = this.#node
    return state.faults.keepsContainer(name, component)
  }

  async #run(pod: StaticPod, isFirst: boolean): Promise<void> {
    const { world, signal, state } = this.#node
    if (!isFirst) await world.clock.sleep(restartMs, signal)
    while (this.#pods.get(pod.component) === pod) {
      pod.containerId = `containerd://${world.hex(32)}`
      const refusal = refusalOf(pod.component, pod.settings, this.#nodeCidrs())
      if (refusal === undefined) {
        pod.startedAt = world.clock.now()
        const instead = state.faults.labelledInstead(pod.image ?? '')
        const version = instead ?? pod.settings.version
        pod.log.push(`I1128 server.go:90] "Starting" version="${version}"`)
        pod.log.push(`I1128 server.go:100] "Serving" component="${pod.component}"`)
        state.changed()
        return
      }
      pod.log.push(refusal)
      pod.lastStartedAt = world.clock.now()
      pod.exits++
      state.changed()
      const wait = backOffMs[Math.min(pod.exits, backOffMs.length) - 1] ?? 0
      await world.clock.sleep(wait, signal)
    }
  }

  #nodeCidrs(): string[] {
    const { cluster, etcd } = this.#node
    const instance = etcd.running && cluster?.kubernetes.get(etcd.running.id)
    return instance?.kubernetes.nodeCidrs?.() ?? []
  }
}
