import { cidrHasAddress, parseCidr } from '../../lib/cidr.ts'
import type { KubernetesInstance } from './kubernetes-instance.ts'
import type { NodeRegistration } from './kubernetes-port.ts'
import { pause } from './pause.ts'
import type { TalosNode } from './talos-node.ts'

/** The kubelet of a node: it registers the node as soon as a Kubernetes API can be reached. */
export class Kubelet {
  readonly #node: TalosNode
  state: 'waiting' | 'starting' | 'running' | 'finished' = 'waiting'
  /** The Kubernetes that knows this node since its boot. */
  #registered: { readonly instance: KubernetesInstance; readonly name: string } | undefined
  #wanted = ''
  /** The pods that it ended since it started, by uid. */
  #ended = new Set<string>()
  /** The version that runs. */
  #version: string | undefined

  constructor(node: TalosNode) {
    this.#node = node
  }

  get healthy(): boolean {
    return this.state === 'running' && this.#registered !== undefined
  }

  /** Registers, or registers anew after the config changed; to be called whenever something changed. */
  reconcile(): void {
    if (this.state === 'finished' || this.state === 'starting') return
    const instance = this.#reachable()
    const registration = this.#registration()
    if (instance === undefined || registration === undefined) return
    if (this.state === 'waiting') {
      this.#start()
      return
    }
    // Another image of the kubelet is another kubelet: its service is stopped and started.
    if (this.#version !== undefined && this.#version !== registration.kubeletVersion) {
      this.#version = undefined
      this.#start()
      return
    }
    // A kubelet makes its Node when it starts, and only then: one that is away later stays away.
    const hasRegistered = this.#registered !== undefined
    if (hasRegistered && instance.kubernetes.knowsNode?.(registration.name) === false) return
    const wanted = JSON.stringify(registration)
    if (wanted === this.#wanted && this.#registered?.instance === instance) return
    this.#wanted = wanted
    this.#version = registration.kubeletVersion
    instance.kubernetes.registerNode(registration, this.#ended)
    this.#registered = { instance, name: registration.name }
    this.#node.serviceChanged('kubelet')
    this.#node.state.changed()
  }

  /** The kubelet begins anew, and registers its node again. */
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
    const { instance, name } = this.#registered ?? {}
    this.#registered = undefined
    if (name !== undefined) instance?.kubernetes.nodeDown(name)
  }

  /** The address by which Kubernetes knows the node: of those it has, the first in the ranges of its config. */
  get nodeIp(): string | undefined {
    const { config, addresses } = this.#node
    const ranges = (config?.nodeIpSubnets ?? []).flatMap((text) => parseCidr(text) ?? [])
    if (ranges.length === 0) return addresses[0]
    return addresses.find((address) => ranges.some((range) => cidrHasAddress(range, address)))
  }

  #start(): void {
    this.state = 'starting'
    this.#registered = undefined
    this.#ended = new Set()
    const node = this.#node
    node.background(async () => {
      await pause(node, 'kubelet')
      if (this.state !== 'starting') return
      this.state = 'running'
      this.reconcile()
    })
  }

  #reachable(): KubernetesInstance | undefined {
    const { cluster, etcd } = this.#node
    const own = etcd.running && cluster?.kubernetes.get(etcd.running.id)
    if (own !== undefined) return own.isServedBy(this.#node) ? own : undefined
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
      staticPods: [...config.staticPods],
    }
  }
}
