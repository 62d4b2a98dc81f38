import { type Clock, createClock } from '../lib/clock.ts'
import { type Random, randomHex, seededRandom } from '../lib/random.ts'
import { Addresses, type AddressPool } from './addresses.ts'
import type { Delay } from './delay.ts'
import { FactoryState } from './factory/factory-state.ts'
import { Faults } from './faults.ts'
import type { Hardware } from './hardware.ts'
import { serverAdmits } from './hetzner/firewalls/server-admits.ts'
import { HetznerState } from './hetzner/hetzner-state.ts'
import { Judge } from './judge/judge.ts'
import { drawLatency, type Latencies, type LatencyName, trailing } from './latency.ts'
import type { Guests, Machine } from './machine.ts'
import { RequestLog, type RequestPass, type WorldRequest } from './request-log.ts'
import { StorageState } from './storage/storage-state.ts'

export interface WorldOptions {
  readonly clock?: Clock
  readonly calendar?: Clock
  /** Same seed, same ids, keys' labels and latencies. */
  readonly seed?: number
  /** `lagging` where absent. */
  readonly latencies?: Latencies
  /** Where the loopback addresses of servers come from; a part of 127.0.0.0/8, at least a /24. */
  readonly addressRange?: string
  /** The block of 256 addresses to try first; random where absent, since another sandbox may run. */
  readonly addressBlock?: number
  /** The public addresses themselves, where they are not loopback's. */
  readonly addresses?: AddressPool
  /** Requests per hour that Hetzner's API grants; 3,600 where absent. */
  readonly requestsPerHour?: number
  /** What the account may have, as Hetzner sets it; generous where absent. */
  readonly limits?: { readonly servers?: number; readonly primaryIps?: number }
}

/**
 * Says whether something on a machine answers on a port of its own, as a load balancer would find
 * out: the HTTP status for a path, `connected` where there is no HTTP, undefined for no answer.
 */
export type TargetProbe = (
  machine: Machine,
  port: number,
  check: { readonly protocol: 'tcp' | 'http'; readonly tls: boolean; readonly path: string },
) => number | 'connected' | undefined

/**
 * The whole simulated outside: Hetzner's project and the machines in it, the image factory, time and
 * chance, faults, and what was asked of it. Fronts are thin protocols over one World.
 */
export class World {
  readonly clock: Clock
  /** The wall's time, however fast `clock` runs: what certificates are dated by. */
  readonly calendar: Clock
  readonly random: Random
  readonly latencies: Latencies
  readonly requestsPerHour: number
  readonly limits: { readonly servers: number; readonly primaryIps: number }
  readonly faults: Faults
  readonly guests: Guests = {}
  readonly machines = new Map<number, Hardware>()
  readonly hetzner: HetznerState
  readonly factory = new FactoryState()
  readonly storage = new StorageState()
  readonly addresses: AddressPool
  /** Strict mode: what a client sent that no API has: unknown fields, wrong types. Tests want it empty. */
  readonly contractErrors: string[] = []
  /** Holds what the product does against the invariants. */
  readonly judge = new Judge()
  /** Everything that took time, in the order in which it began: what the bench measures a run against. */
  readonly delays: Delay[] = []
  /** Fronts tell load balancers what answers; the first one that knows wins. */
  readonly targetProbes: TargetProbe[] = []
  /** The gate of all requests: counting, cutting, stopping at a step. */
  readonly log: RequestLog

  readonly #end = new AbortController()
  readonly #closers: (() => Promise<void>)[] = []
  readonly #work = new Set<Promise<void>>()

  constructor(options: WorldOptions = {}) {
    this.clock = options.clock ?? createClock()
    this.calendar = options.calendar ?? createClock()
    const seed = options.seed ?? 1
    this.random = seededRandom(seed)
    this.latencies = options.latencies ?? 'lagging'
    this.faults = new Faults(this.latencies === 'none' ? {} : trailing)
    this.requestsPerHour = options.requestsPerHour ?? 3_600
    this.limits = {
      servers: options.limits?.servers ?? 1_000,
      primaryIps: options.limits?.primaryIps ?? 2_000,
    }
    this.hetzner = new HetznerState(seed, () => this.clock.now())
    const block = options.addressBlock ?? Math.floor(Math.random() * 4_096)
    this.addresses =
      options.addresses ?? new Addresses(options.addressRange ?? '127.16.0.0/12', block)
    this.log = new RequestLog(this.clock, this.faults)
  }

  /** Every request that any front was asked. */
  get requests(): WorldRequest[] {
    return this.log.requests
  }

  /** Aborted when the world ends; for everything that waits. */
  get signal(): AbortSignal {
    return this.#end.signal
  }

  /** See RequestLog.enter. */
  enter(front: string, method: string, path: string, mutates?: boolean): RequestPass {
    return this.log.enter(front, method, path, mutates)
  }

  onRequest(listener: (request: WorldRequest) => void | Promise<void>): void {
    this.log.onRequest(listener)
  }

  afterMutation(count: number, run: () => void | Promise<void>): void {
    this.log.afterMutation(count, run)
  }

  cutAfter(count: number, options?: { loseLast?: boolean }): void {
    this.log.cutAfter(count, options)
  }

  restore(): void {
    this.log.restore()
  }

  latency(name: LatencyName): number {
    return drawLatency(name, this.latencies, this.random)
  }

  /** Writes down that something begins now and takes this long; nothing where it takes no time. */
  noteDelay(delay: Omit<Delay, 'at'>): void {
    if (delay.ms > 0) this.delays.push({ ...delay, at: this.clock.now() })
  }

  /** Takes as long as this takes on Hetzner; rejects when the world ends or `signal` aborts. */
  async pause(
    name: LatencyName,
    { target = '', signal }: { readonly target?: string; readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    const milliseconds = this.latency(name)
    signal?.throwIfAborted()
    this.signal.throwIfAborted()
    if (milliseconds === 0) return
    this.noteDelay({ what: name, target, ms: milliseconds })
    const either = signal === undefined ? this.signal : AbortSignal.any([this.signal, signal])
    await this.clock.sleep(milliseconds, either)
  }

  /** Goes on behind the caller's back until it is done or the world ends; a failure is a bug and recorded. */
  background(work: () => Promise<void>): void {
    const running = work()
      .catch((error: unknown) => {
        if (!this.signal.aborted) this.contractErrors.push(`the sandbox failed: ${describe(error)}`)
      })
      .finally(() => this.#work.delete(running))
    this.#work.add(running)
  }

  /** A machine of this server; undefined after it was deleted. */
  machine(serverId: number): Machine | undefined {
    return this.machines.get(serverId)
  }

  machineNamed(name: string): Machine | undefined {
    return [...this.machines.values()].find((machine) => machine.name === name)
  }

  /** A power cycle that the guest asked for, with a new boot id. Not to be awaited by the guest itself. */
  async reboot(machine: Machine): Promise<void> {
    await this.machines.get(machine.serverId)?.powerCycle()
  }

  /** The guest switched itself off. Not to be awaited by the guest itself. */
  async shutdown(machine: Machine): Promise<void> {
    await this.machines.get(machine.serverId)?.powerOff()
  }

  /**
   * Whether the firewalls that apply to this server let a packet in on its public side. Fronts on
   * public addresses ask for each connection, and drop who is not admitted without an answer.
   */
  admits(
    machine: Machine,
    protocol: 'tcp' | 'udp' | 'icmp',
    port: number,
    sourceAddress: string,
  ): boolean {
    return serverAdmits(this, machine.serverId, protocol, port, sourceAddress)
  }

  /** Gives a machine another public address, as after Hetzner exchanged its primary IP. */
  async moveAddress(machine: Hardware): Promise<void> {
    const address = await this.addresses.allocate()
    this.hetzner.moveAddress(machine.serverId, address)
    machine.publicIp = address
  }

  /** `count` random bytes in hex, from the world's own randomness. */
  hex(count: number): string {
    return randomHex(this.random, count)
  }

  /** For fronts and guests: runs when the world closes. */
  onClose(close: () => Promise<void>): void {
    this.#closers.push(close)
  }

  /** Ends everything: waits are broken off, guests stopped, fronts closed, addresses given back. */
  async close(): Promise<void> {
    this.#end.abort(new Error('the sandbox was closed'))
    const switchOff = () =>
      Promise.all([...this.machines.values()].map((machine) => machine.powerOff()))
    await Promise.all([...this.#closers.splice(0).map((close) => close()), switchOff()])
    await Promise.all(this.#work)
    await switchOff()
    this.judge.close()
    await this.addresses.close()
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
