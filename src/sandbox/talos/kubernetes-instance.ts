import type { World } from '../world.ts'
import type { Etcd } from './etcd.ts'
import type { Kubernetes } from './kubernetes-port.ts'
import { loadBalancerAddresses } from './load-balancer-addresses.ts'
import { pause } from './pause.ts'
import type { TalosNode } from './talos-node.ts'

export const kubernetesPort = 6_443

/** Load balancers come and go without a word to the nodes: how often to look for them. */
const pollMs = 3_000
/** Half of the year that an API server's certificate is good for: then Talos makes another one. */
const renewsAfterMs = 182.5 * 86_400_000

/** An API server on one node. */
interface Host {
  readonly phase: 'starting' | 'up'
  readonly version: string
  /** What its pod was rendered from: another one is another API server. */
  readonly rendering: string
}

/** Where the API is to answer, and as what. */
interface Address {
  readonly address: string
  readonly port: number
  readonly admits: (source: string) => boolean
  readonly version: string
  readonly ca: { readonly crt: string; readonly key: string } | undefined
}

interface Listener {
  readonly admits: (source: string) => boolean
  /** By the world's calendar. */
  readonly issuedAt: number
  opened: Promise<{ close(): Promise<void> }>
}

/**
 * The Kubernetes that lives in one etcd, and where it can be reached: at every control plane node
 * whose etcd runs, and at the load balancers in front of them, as long as etcd has its quorum.
 */
export class KubernetesInstance {
  readonly kubernetes: Kubernetes
  readonly #etcd: Etcd
  readonly #world: World
  /** Nodes whose API server is up, or starting. */
  readonly #hosts = new Map<TalosNode, Host>()
  readonly #listeners = new Map<string, Listener>()

  constructor(kubernetes: Kubernetes, etcd: Etcd, world: World) {
    this.kubernetes = kubernetes
    this.#etcd = etcd
    this.#world = world
    world.background(async () => {
      for (;;) {
        await world.clock.sleep(pollMs, world.signal)
        this.reconcile()
      }
    })
  }

  /** Whether any API server of it answers. */
  get available(): boolean {
    return this.#etcd.quorum && [...this.#hosts.keys()].some((node) => this.#isUp(node))
  }

  isServedBy(node: TalosNode): boolean {
    return this.#etcd.quorum && this.#isUp(node)
  }

  isHostedBy(node: TalosNode): boolean {
    return this.#hosts.has(node)
  }

  /** A control plane node's etcd runs: its API server starts, or starts again with other settings. */
  host(node: TalosNode): void {
    const { rendering = '', version = '' } = node.staticPods.runs('kube-apiserver') ?? {}
    if (this.#hosts.get(node)?.rendering === rendering) return
    const host: Host = { phase: 'starting', version, rendering }
    this.#hosts.set(node, host)
    node.background(async () => {
      await this.#close(node.machine.publicIp ?? '')
      await pause(node, 'kubernetes-api')
      if (this.#hosts.get(node) !== host) return
      this.#hosts.set(node, { ...host, phase: 'up' })
      node.state.changed()
    })
  }

  /** The node's API server is gone; its sockets are closed when the promise resolves. */
  async leave(node: TalosNode): Promise<void> {
    if (!this.#hosts.delete(node)) return
    this.reconcile()
    await this.#close(node.machine.publicIp ?? '')
    node.state.changed()
  }

  /** Opens and closes what follows from who runs. */
  reconcile(): void {
    const wanted = this.#wanted()
    for (const key of [...this.#listeners.keys()]) {
      if (!wanted.has(key) || this.#isDue(key)) void this.#close(key)
    }
    for (const [key, { address, port, admits, version, ca }] of wanted) {
      if (this.#listeners.has(key)) continue
      const opened = this.kubernetes.serve(address, port, admits, version, ca)
      this.#listeners.set(key, { admits, opened, issuedAt: this.#world.calendar.now() })
      opened.catch((error: unknown) => this.#couldNotListen(key, error))
    }
  }

  #isDue(key: string): boolean {
    const { issuedAt = Number.POSITIVE_INFINITY } = this.#listeners.get(key) ?? {}
    return this.#world.calendar.now() - issuedAt >= renewsAfterMs
  }

  /** Its etcd is lost for good. */
  async end(): Promise<void> {
    await this.close()
    this.kubernetes.close?.()
  }

  async close(): Promise<void> {
    this.#hosts.clear()
    await Promise.all([...this.#listeners.keys()].map((key) => this.#close(key)))
  }

  /** Its pod runs, and answers. */
  #isUp(node: TalosNode): boolean {
    return this.#hosts.get(node)?.phase === 'up' && node.staticPods.isUp('kube-apiserver')
  }

  #wanted(): Map<string, Address> {
    const wanted = new Map<string, Address>()
    const up = [...this.#hosts.keys()].filter((node) => this.#isUp(node))
    const [first] = up
    if (first === undefined || !this.#etcd.quorum) return wanted
    const versionOf = (node: TalosNode) => this.#hosts.get(node)?.version ?? ''
    for (const node of up) {
      const { machine, world } = node
      if (machine.publicIp === undefined) continue
      wanted.set(machine.publicIp, {
        address: machine.publicIp,
        port: kubernetesPort,
        admits: (source) => world.admits(machine, 'tcp', kubernetesPort, source),
        version: versionOf(node),
        ca: authorityOf(node),
      })
    }
    const ids = up.map(({ machine }) => machine.serverId)
    for (const { address, port } of loadBalancerAddresses(first.world, ids, kubernetesPort)) {
      wanted.set(`${address}:${port}`, {
        address,
        port,
        admits: () => true,
        version: versionOf(first),
        ca: authorityOf(first),
      })
    }
    return wanted
  }

  async #close(key: string): Promise<void> {
    const listener = this.#listeners.get(key)
    if (listener === undefined) return
    this.#listeners.delete(key)
    const open = await listener.opened.catch(() => undefined)
    await open?.close()
  }

  #couldNotListen(key: string, error: unknown): void {
    this.#listeners.delete(key)
    const [node] = this.#hosts.keys()
    node?.world.contractErrors.push(`the Kubernetes API cannot listen on ${key}: ${error}`)
  }
}

/** What the API server of this node issues its certificate with. */
function authorityOf({ config }: TalosNode): Address['ca'] {
  const { crt, key } = config?.kubernetesCa ?? {}
  return crt === undefined || key === undefined ? undefined : { crt, key }
}
