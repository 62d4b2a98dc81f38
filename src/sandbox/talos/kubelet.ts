import { cidrHasAddress, parseCidr } from '../ip-range.ts'
import { refusalOf } from './components/refuse-settings.ts'
import { KubeletDecisions } from './kubelet-decisions.ts'
import type { KubernetesInstance } from './kubernetes-instance.ts'
import type { NodeRegistration } from './kubernetes-port.ts'
import { pause } from './pause.ts'
import type { TalosNode } from './talos-node.ts'

/** One thing that happened to the kubelet's service, as `talosctl service kubelet` lists it. */
export interface KubeletEvent {
  readonly state: string
  readonly message: string
  readonly at: number
}

/** How long a kubelet takes to stop and restart, in milliseconds. */
const restartMs = 1_500
/** How long Talos waits before it starts one again that ended. */
const startAgainMs = 5_000

/** The kubelet of a node: it registers the node as soon as a Kubernetes API can be reached. */
export class Kubelet {
  readonly #node: TalosNode
  state: 'waiting' | 'starting' | 'running' | 'failed' | 'finished' = 'waiting'
  /** The Kubernetes that knows this node since its boot. */
  #registered: { readonly instance: KubernetesInstance; readonly name: string } | undefined
  #wanted = ''
  /** The pods that it ended since it started, by uid. */
  #ended = new Set<string>()
  readonly decisions: KubeletDecisions
  readonly events: KubeletEvent[] = []
  readonly log: string[] = []

  constructor(node: TalosNode) {
    this.#node = node
    this.decisions = new KubeletDecisions(node)
  }

  get healthy(): boolean {
    return this.state === 'running' && this.#registered !== undefined
  }

  /** Registers, or registers again after the config changed; to be called whenever something changed. */
  reconcile(): void {
    if (this.state === 'finished' || this.state === 'starting') return
    // Other settings are another kubelet: its service is stopped and started.
    if (this.decisions.decide() === 'restarted') {
      this.#start()
      return
    }
    const instance = this.#reachable()
    const registration = this.#registration()
    if (instance === undefined || registration === undefined || this.state === 'failed') return
    if (this.state === 'waiting') {
      if (this.decisions.spec !== undefined) this.#start()
      return
    }
    // A kubelet makes its Node when it starts, and only then: one that is away later stays away.
    const hasRegistered = this.#registered !== undefined
    if (hasRegistered && instance.kubernetes.knowsNode?.(registration.name) === false) return
    const wanted = JSON.stringify(registration)
    if (wanted === this.#wanted && this.#registered?.instance === instance) return
    this.#wanted = wanted
    instance.kubernetes.registerNode(registration, this.#ended)
    this.#registered = { instance, name: registration.name }
    this.#node.serviceChanged('kubelet')
    this.#node.state.changed()
  }

  /** The kubelet starts over, and registers its node again. */
  restart(): void {
    if (this.state !== 'running') return
    this.#registered = undefined
    this.#wanted = ''
    this.state = 'waiting'
    this.reconcile()
  }

  /** The kubelet stops; Kubernetes will notice. */
  stop(): void {
    this.state = 'finished'
    this.#fallSilent()
  }

  /** The address by which Kubernetes knows the node: of those it has, the first in the ranges of its config. */
  get nodeIp(): string | undefined {
    const { config, addresses } = this.#node
    const ranges = (config?.nodeIpSubnets ?? []).flatMap((text) => parseCidr(text) ?? [])
    if (ranges.length === 0) return addresses[0]
    return addresses.find((address) => ranges.some((range) => cidrHasAddress(range, address)))
  }

  #start(): void {
    const node = this.#node
    const { clock } = node.world
    const isFirst = this.events.length === 0
    const settings = this.decisions.spec?.settings
    this.state = 'starting'
    this.#registered = undefined
    this.#ended = new Set()
    this.#wanted = ''
    this.#record('Preparing', 'Running pre state')
    node.background(async () => {
      await pause(node, 'kubelet')
      if (!isFirst) await clock.sleep(restartMs, node.signal)
      if (this.state !== 'starting') return
      const refusal = settings && refusalOf('kubelet', settings)
      if (refusal !== undefined) return this.#fail(refusal)
      this.state = 'running'
      this.#record('Running', 'Started task kubelet')
      this.reconcile()
    })
  }

  /** Talos starts it again and again; its node counts as gone when its lease has aged. */
  async #fail(refusal: string): Promise<void> {
    const { world, signal } = this.#node
    this.state = 'failed'
    this.#fallSilent()
    while (this.state === 'failed') {
      this.log.push(refusal)
      this.#record(
        'Waiting',
        'Error running Containerd(kubelet), going to restart forever: task "kubelet" failed: exit code 1',
      )
      await world.clock.sleep(startAgainMs, signal)
    }
  }

  #fallSilent(): void {
    const { instance, name } = this.#registered ?? {}
    this.#registered = undefined
    if (name !== undefined) instance?.kubernetes.nodeDown(name)
  }

  #record(state: string, message: string): void {
    this.events.push({ state, message, at: this.#node.world.clock.now() })
    this.#node.serviceChanged('kubelet')
  }

  #reachable(): KubernetesInstance | undefined {
    const { cluster, etcd } = this.#node
    const own = etcd.running && cluster?.kubernetes.get(etcd.running.id)
    // One that has registered finds the others when its own is away.
    const isKnown = own !== undefined && this.#registered?.instance === own
    if (own !== undefined) {
      return own.isServedBy(this.#node) || (isKnown && own.available) ? own : undefined
    }
    if (this.#node.config?.controlPlane) return undefined
    return [...(cluster?.kubernetes.values() ?? [])].find(({ available }) => available)
  }

  #registration(): NodeRegistration | undefined {
    const { config, machine, version, hostname } = this.#node
    const internalIp = this.nodeIp
    if (config === undefined || internalIp === undefined) return undefined
    return {
      name: hostname,
      internalIp,
      ...(machine.publicIp === undefined ? {} : { externalIp: machine.publicIp }),
      roleControlPlane: config.controlPlane,
      labels: { ...config.labels },
      annotations: { ...config.annotations },
      taints: [...config.taints],
      osImage: `Talos (${version.tag})`,
      kubeletVersion: config.kubeletVersion,
      bootId: machine.bootId,
      serverId: machine.serverId,
      arch: machine.arch === 'arm' ? 'arm64' : 'amd64',
      staticPods: config.staticPods.map((pod) => ({
        ...pod,
        // Kubelets know the pods that Talos has rendered for them, not the config.
        image: this.#node.staticPods.image(pod.component) ?? pod.image,
        ready: this.#node.staticPods.isUp(pod.component),
      })),
    }
  }
}
