import { randomHex } from '../lib/random.ts'
import type { LatencyName } from './latency.ts'
import type { Disk, Guest, GuestFactory, Machine } from './machine.ts'
import type { World } from './world.ts'

export interface HardwareOptions {
  readonly serverId: number
  readonly name: string
  readonly arch: 'x86' | 'arm'
  readonly location: string
  readonly userData: string | undefined
  readonly disk: Disk
}

/** The rescue system that is armed for the next boot, and the keys that it will admit. */
export interface ArmedRescue {
  readonly keys: readonly string[]
  /** The world's instant after which it is forgotten. */
  readonly expiresAt: number
}

/** A machine that can be switched on and off, one change after the other. */
export class Hardware implements Machine {
  readonly serverId: number
  readonly arch: 'x86' | 'arm'
  readonly location: string
  readonly disk: Disk
  name: string
  userData: string | undefined
  publicIp: string | undefined
  privateIps: string[] = []
  power: 'on' | 'off' = 'off'
  bootId = ''
  authorizedKeys: readonly string[] = []
  armedRescue: ArmedRescue | undefined
  /** What runs now, or is on its way up. */
  running: 'rescue' | 'talos' | 'stock' | 'nothing' = 'nothing'

  readonly #world: World
  #turn: Promise<void> = Promise.resolve()
  #booting = new AbortController()
  #guest: Promise<Guest | undefined> = Promise.resolve(undefined)

  constructor(world: World, options: HardwareOptions) {
    this.#world = world
    this.serverId = options.serverId
    this.name = options.name
    this.arch = options.arch
    this.location = options.location
    this.userData = options.userData
    this.disk = options.disk
  }

  /** On, and a system on its way up; nothing where it was on already. */
  powerOn(): Promise<void> {
    return this.#inTurn(() => this.#start())
  }

  /** Off, and every socket of its system closed; nothing where it was off already. */
  powerOff(): Promise<void> {
    return this.#inTurn(() => this.#stop())
  }

  /** Off and on again. */
  powerCycle(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#stop()
      await this.#start()
    })
  }

  /** Resolves when the system that was started last answers, or never will. */
  async settled(): Promise<void> {
    await this.#turn
    await this.#guest
  }

  #inTurn(change: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(change)
    return this.#turn
  }

  async #start(): Promise<void> {
    if (this.power === 'on') return
    const world = this.#world
    this.power = 'on'
    this.bootId = formatUuid(randomHex(world.random, 16))
    this.#booting = new AbortController()
    const rescue = this.#takeRescue()
    this.authorizedKeys = rescue?.keys ?? []
    this.running = rescue === undefined ? this.#bootable() : 'rescue'
    if (world.faults.takeNeverBoots(this.name)) this.running = 'nothing'
    if (this.publicIp !== undefined && world.faults.takeMove(this.name)) {
      await world.moveAddress(this)
    }
    if (this.running === 'nothing') return
    this.#guest = this.#boot(world.guests[this.running], `boot-${this.running}`)
  }

  async #stop(): Promise<void> {
    if (this.power === 'off') return
    this.#booting.abort()
    const guest = await this.#guest
    this.#guest = Promise.resolve(undefined)
    this.running = 'nothing'
    this.authorizedKeys = []
    await guest?.stop()
    // Last: who sees it off may copy the disk, and has what the system wrote until its end.
    this.power = 'off'
  }

  async #boot(start: GuestFactory | undefined, latency: LatencyName): Promise<Guest | undefined> {
    const { signal } = this.#booting
    try {
      await this.#world.pause(latency, { target: this.name, signal })
      return await start?.(this, this.#world)
    } catch (error) {
      if (!signal.aborted && !this.#world.signal.aborted) {
        this.#world.contractErrors.push(`${this.running} on ${this.name} did not start: ${error}`)
      }
      return undefined
    }
  }

  #takeRescue(): ArmedRescue | undefined {
    const armed = this.armedRescue
    this.armedRescue = undefined
    return armed !== undefined && this.#world.clock.now() < armed.expiresAt ? armed : undefined
  }

  #bootable(): 'talos' | 'stock' | 'nothing' {
    const { image } = this.disk
    if (image.kind === 'garbage') return 'nothing'
    if (image.kind === 'stock') return 'stock'
    return (image.arch === 'arm64') === (this.arch === 'arm') ? 'talos' : 'nothing'
  }
}

function formatUuid(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
