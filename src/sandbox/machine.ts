import type { World } from './world.ts'

/** What lies on a disk, as far as booting from it goes. */
export type DiskImage =
  | { readonly kind: 'stock' }
  | {
      readonly kind: 'talos'
      readonly version: string
      readonly schematic: string
      readonly arch: 'amd64' | 'arm64'
    }
  | { readonly kind: 'garbage' }

/** The local disk of a server. It survives power cycles; a snapshot copies `image` and nothing else. */
export interface Disk {
  image: DiskImage
  /** What the guest system keeps: machine config, etcd data, and the like. */
  readonly state: Map<string, unknown>
}

/** The hardware of one Hetzner server, as the systems that run on it see it. */
export interface Machine {
  readonly serverId: number
  readonly name: string
  readonly arch: 'x86' | 'arm'
  readonly location: string
  /** Its own loopback address, 127.x.y.z; undefined for a server without public IPv4. */
  readonly publicIp: string | undefined
  /** As attached through Hetzner's API, in that order. */
  readonly privateIps: readonly string[]
  readonly userData: string | undefined
  readonly disk: Disk
  readonly power: 'on' | 'off'
  /** Changes at each boot. */
  readonly bootId: string
  /** Public keys (OpenSSH lines) that root of the running system admits: those given to the rescue system. */
  readonly authorizedKeys: readonly string[]
}

/** What runs on a machine that is on. */
export interface Guest {
  /** Ends it as a power cut does: every socket is closed when the promise resolves. */
  stop(): Promise<void>
}

/**
 * Starts a system on a machine that has just been switched on, and resolves when it answers on its
 * addresses. It must not await `world.reboot` or `world.shutdown` before it has resolved, nor in
 * `stop`: both wait for the guest to stop.
 */
export type GuestFactory = (machine: Machine, world: World) => Promise<Guest>

/** The systems that can run on a machine; the rescue flag decides first, then `disk.image.kind`. */
export interface Guests {
  talos?: GuestFactory
  rescue?: GuestFactory
  stock?: GuestFactory
}
