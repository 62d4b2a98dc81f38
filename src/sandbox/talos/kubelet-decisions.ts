import type { ComponentSettings } from './components/component-settings.ts'
import { extraConfigRefusal } from './components/kubelet-fields.ts'
import type { NodeResource } from './node-resources.ts'
import type { TalosNode } from './talos-node.ts'

interface Decision {
  readonly settings: ComponentSettings
  readonly version: number
  readonly at: number
}

const controller = '{"component": "controller-runtime", "controller": "k8s.KubeletSpecController"'
/** How long Talos waits before it tries again what failed, in milliseconds. */
const backOffMs = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000]

/** What Talos decides that a node's kubelet runs with: nothing new where it can make nothing of the settings. */
export class KubeletDecisions {
  readonly #node: TalosNode
  /** What the machine config asks for. */
  #asked: Decision | undefined
  /** What the kubelet is to run with; absent until Talos was given something that it could use. */
  spec: Decision | undefined
  #isTrying = false
  /** What the controllers of Talos log of it. */
  readonly log: string[] = []

  constructor(node: TalosNode) {
    this.#node = node
  }

  /** Looks at the machine config in effect; says `restarted` where a kubelet that was started is to be restarted. */
  decide(): 'restarted' | 'as before' {
    const settings = this.#node.config?.components.kubelet
    if (settings === undefined) return 'as before'
    if (this.#asked?.settings.rendering !== settings.rendering) {
      this.#asked = this.#next(this.#asked, settings)
    }
    if (this.#isTrying || this.spec?.settings.rendering === settings.rendering) return 'as before'
    if (extraConfigRefusal(settings.extraConfig) !== undefined) {
      this.#isTrying = true
      this.#node.background(() => this.#tryAgain())
      return 'as before'
    }
    const isFirst = this.spec === undefined
    this.spec = this.#next(this.spec, settings)
    return isFirst ? 'as before' : 'restarted'
  }

  resources(): NodeResource[] {
    return [
      ...resource('KubeletConfigs.kubernetes.talos.dev', this.#asked),
      ...resource('KubeletSpecs.kubernetes.talos.dev', this.spec),
    ]
  }

  #next(before: Decision | undefined, settings: ComponentSettings): Decision {
    const at = this.#node.world.clock.now()
    return { settings, version: (before?.version ?? 0) + 1, at }
  }

  async #tryAgain(): Promise<void> {
    const { world, signal, state } = this.#node
    try {
      for (let tries = 0; ; tries++) {
        const refusal = extraConfigRefusal(this.#asked?.settings.extraConfig)
        if (tries > 0) this.#log('DEBUG', 'controller starting')
        if (refusal === undefined) return
        this.#log('ERROR', 'controller failed', `, "error": ${JSON.stringify(refusal)}`)
        const wait = backOffMs[Math.min(tries, backOffMs.length - 1)] ?? 0
        this.#log('DEBUG', `restarting controller in ${wait / 1_000}s`)
        await world.clock.sleep(wait, signal)
      }
    } finally {
      this.#isTrying = false
      state.changed()
    }
  }

  #log(level: string, text: string, more = ''): void {
    const at = new Date(this.#node.world.clock.now()).toISOString()
    this.log.push(`${at} \u001b[31m${level}\u001b[0m ${text} ${controller}${more}}`)
  }
}

function resource(type: string, decision: Decision | undefined): NodeResource[] {
  if (decision === undefined) return []
  const { settings, version, at } = decision
  const spec = { image: settings.version, args: settings.args }
  return [{ namespace: 'k8s', type, id: 'kubelet', spec, stamp: { version, at } }]
}
