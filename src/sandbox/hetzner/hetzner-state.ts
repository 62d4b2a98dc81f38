import type { ActionRecord } from './actions/action.ts'
import type { CertificateRecord } from './certificates/certificate.ts'
import type { FirewallRecord } from './firewalls/firewall.ts'
import type { FloatingIpRecord } from './floating-ips/floating-ip.ts'
import type { ImageRecord } from './images/image.ts'
import { systemImages } from './images/system-images.ts'
import type { LoadBalancerRecord } from './load-balancers/load-balancer.ts'
import type { NetworkRecord } from './networks/network.ts'
import type { PlacementGroupRecord } from './placement-groups/placement-group.ts'
import type { PrimaryIpRecord } from './primary-ips/primary-ip.ts'
import type { ServerRecord } from './servers/server.ts'
import type { SshKeyRecord } from './ssh-keys/ssh-key.ts'
import type { VolumeRecord } from './volumes/volume.ts'

/** A deleted server that still counts for its firewalls and its group until Hetzner notices. */
export interface DepartedServer {
  readonly id: number
  readonly firewalls: readonly number[]
  readonly placementGroup: number | null
  readonly until: number
}

/** Everything that one Hetzner project holds, by id. */
export class HetznerState {
  readonly actions = new Map<number, ActionRecord>()
  readonly sshKeys = new Map<number, SshKeyRecord>()
  readonly networks = new Map<number, NetworkRecord>()
  readonly firewalls = new Map<number, FirewallRecord>()
  readonly placementGroups = new Map<number, PlacementGroupRecord>()
  readonly loadBalancers = new Map<number, LoadBalancerRecord>()
  readonly servers = new Map<number, ServerRecord>()
  readonly images = new Map<number, ImageRecord>(systemImages().map((image) => [image.id, image]))
  readonly volumes = new Map<number, VolumeRecord>()
  readonly primaryIps = new Map<number, PrimaryIpRecord>()
  readonly floatingIps = new Map<number, FloatingIpRecord>()
  readonly certificates = new Map<number, CertificateRecord>()
  /** Each network, firewall or load balancer that an action is changing: the action's id. */
  readonly changing = new Map<number, number>()
  departed: DepartedServer[] = []

  readonly #now: () => number
  #lastId: number

  constructor(seed: number, now: () => number) {
    this.#lastId = 1_000_000 + ((seed * 7_919) % 1_000_000)
    this.#now = now
  }

  /** Ids ascend over all kinds of resource and are never given twice. */
  nextId(): number {
    this.#lastId++
    return this.#lastId
  }

  now(): number {
    return this.#now()
  }

  /** A server's IPv4 is exchanged: another primary IP, at another address, takes its place. */
  moveAddress(serverId: number, address: string): void {
    const server = this.servers.get(serverId)
    const former = server?.ipv4 == null ? undefined : this.primaryIps.get(server.ipv4)
    if (server === undefined || former === undefined) return
    this.primaryIps.delete(former.id)
    const id = this.nextId()
    this.primaryIps.set(id, { ...former, id, ip: address, name: `primary_ip-${id}` })
    server.ipv4 = id
  }
}
