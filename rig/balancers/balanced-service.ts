import { connect, createServer, type Server, type Socket } from 'node:net'
import type { LoadBalancerService } from '../../src/sandbox/hetzner/load-balancers/load-balancer.ts'
import { checkTarget, type TargetAddress } from './check-target.ts'

/** A server behind a service. */
export interface BalancedTarget extends TargetAddress {
  readonly serverId: number
}

export type Found = number | 'connected' | undefined

/** Hetzner's own interval may be up to a minute; the rig looks at least this often, in milliseconds. */
const longestIntervalMs = 1_000

/**
 * One service of a load balancer: takes connections at the balancer's addresses and passes each to the
 * next of its targets that answered the last check. Without any it hangs up.
 */
export class BalancedService {
  targets: readonly BalancedTarget[] = []
  readonly #service: LoadBalancerService
  readonly #isHealthy: (found: Found) => boolean
  readonly #servers: Server[] = []
  readonly #sockets = new Set<Socket>()
  readonly #found = new Map<number, Found>()
  readonly #timer: NodeJS.Timeout
  #checking = false
  #next = 0

  private constructor(service: LoadBalancerService, isHealthy: (found: Found) => boolean) {
    this.#service = service
    this.#isHealthy = isHealthy
    const interval = Math.min(service.healthCheck.interval * 1_000, longestIntervalMs)
    this.#timer = setInterval(() => void this.#check(), interval)
  }

  static async open(
    service: LoadBalancerService,
    addresses: readonly string[],
    isHealthy: (found: Found) => boolean,
  ): Promise<BalancedService> {
    const opened = new BalancedService(service, isHealthy)
    for (const address of addresses) await opened.#listen(address)
    return opened
  }

  /** What the last check of its own found on a server. */
  found(serverId: number): Found {
    return this.#found.get(serverId)
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    const closed = this.#servers.map(
      (server) => new Promise<void>((done) => server.close(() => done())),
    )
    for (const socket of this.#sockets) socket.destroy()
    await Promise.all(closed)
  }

  async #listen(address: string): Promise<void> {
    const server = createServer((socket) => this.#pass(socket))
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(this.#service.listenPort, address, resolve)
    })
    this.#servers.push(server)
  }

  #pass(socket: Socket): void {
    this.#keep(socket)
    const healthy = this.targets.filter(({ serverId }) =>
      this.#isHealthy(this.#found.get(serverId)),
    )
    const target = healthy[this.#next++ % Math.max(1, healthy.length)]
    if (target === undefined) return void socket.destroy()
    const { host, from } = target
    const upstream = connect({ host, port: this.#service.destinationPort, localAddress: from })
    this.#keep(upstream)
    upstream.once('close', () => socket.destroy())
    socket.once('close', () => upstream.destroy())
    socket.pipe(upstream)
    upstream.pipe(socket)
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => this.#sockets.delete(socket))
  }

  async #check(): Promise<void> {
    if (this.#checking) return
    this.#checking = true
    const targets = this.targets
    await Promise.all(
      targets.map(async (target) => {
        this.#found.set(target.serverId, await checkTarget(target, this.#service.healthCheck))
      }),
    )
    for (const serverId of this.#found.keys()) {
      if (!targets.some((target) => target.serverId === serverId)) this.#found.delete(serverId)
    }
    this.#checking = false
  }
}
