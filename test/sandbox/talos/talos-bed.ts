import { createServer } from 'node:net'
import { Hardware } from '../../../src/sandbox/hardware.ts'
import type { ClusterContent } from '../../../src/sandbox/kubernetes/cluster-content.ts'
import type { DiskImage } from '../../../src/sandbox/machine.ts'
import { createTalosGuest } from '../../../src/sandbox/talos/create-talos-guest.ts'
import type {
  Kubernetes,
  KubernetesOptions,
  NodeRegistration,
} from '../../../src/sandbox/talos/kubernetes-port.ts'
import { talosState } from '../../../src/sandbox/talos/talos-state.ts'
import { World, type WorldOptions } from '../../../src/sandbox/world.ts'
import { MachineService } from '../../../src/talos/api/gen/machine/machine_pb.js'
import { pollLimitMs } from '../../hang-limit.ts'
import {
  type ClusterSecrets,
  createClient,
  createConfig,
  createSecrets,
} from './cluster-secrets.ts'
import { TalosClient } from './talos-client.ts'

/** A Kubernetes that remembers what it was told, and answers connections with nothing. */
export class FakeKubernetes implements Kubernetes {
  readonly options: KubernetesOptions
  readonly nodes = new Map<string, NodeRegistration>()
  readonly down = new Set<string>()
  readonly served = new Set<string>()
  /** What it holds in etcd. */
  kept: ClusterContent = { version: 1, objects: [] }
  closed = false

  constructor(options: KubernetesOptions) {
    this.options = options
  }

  async serve(address: string, port: number): Promise<{ close(): Promise<void> }> {
    const server = createServer((socket) => socket.destroy())
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, address, resolve)
    })
    this.served.add(`${address}:${port}`)
    return {
      close: async () => {
        this.served.delete(`${address}:${port}`)
        await new Promise((done) => server.close(done))
      },
    }
  }

  registerNode(node: NodeRegistration): void {
    this.nodes.set(node.name, node)
    this.down.delete(node.name)
  }

  nodeDown(name: string): void {
    this.down.add(name)
  }

  knowsNode(name: string): boolean {
    return this.nodes.has(name)
  }

  content(): ClusterContent {
    return this.kept
  }

  close(): void {
    this.closed = true
  }
}

/** A world of machines that boot Talos, and clients for them. */
export class TalosBed {
  readonly world: World
  readonly secrets: ClusterSecrets = createSecrets()
  readonly kubernetes: FakeKubernetes[] = []
  readonly #clients: TalosClient[] = []
  #lastId = 0

  constructor(options: WorldOptions = {}) {
    this.world = new World({ latencies: 'none', ...options })
    // Its workers find their control planes before there is a Kubernetes.
    talosState(this.world).hasDiscovery = true
    this.world.guests.talos = createTalosGuest({
      createKubernetes: (kubernetesOptions) => {
        const kubernetes = new FakeKubernetes(kubernetesOptions)
        this.kubernetes.push(kubernetes)
        return kubernetes
      },
    })
  }

  get talos() {
    return talosState(this.world)
  }

  /** A machine with Talos on its disk, switched on. */
  async boot(
    name: string,
    { version = 'v1.12.0', userData = undefined as string | undefined, publicIp = true } = {},
  ): Promise<Hardware> {
    const image: DiskImage = { kind: 'talos', version, schematic: 'c'.repeat(64), arch: 'amd64' }
    const serverId = ++this.#lastId
    const machine = new Hardware(this.world, {
      serverId,
      name,
      arch: 'x86',
      location: 'hel1',
      userData,
      disk: { image, state: new Map() },
    })
    if (publicIp) machine.publicIp = await this.world.addresses.allocate()
    machine.privateIps = [`10.0.64.${serverId}`]
    this.world.machines.set(serverId, machine)
    await machine.powerOn()
    await machine.settled()
    return machine
  }

  /** A client that asks for nothing and shows nothing. */
  anyone(machine: Hardware): TalosClient {
    return this.#keep(new TalosClient(addressOf(machine)))
  }

  /** A client of the cluster with these roles. */
  client(machine: Hardware, roles = ['os:admin'], secrets = this.secrets): TalosClient {
    const client = createClient(secrets, roles)
    return this.#keep(new TalosClient(addressOf(machine), { ca: secrets.os.crt, client }))
  }

  keep(client: TalosClient): TalosClient {
    return this.#keep(client)
  }

  /** Boots a machine and configures it, and resolves when its API wants certificates. */
  async configured(
    name: string,
    type: 'controlplane' | 'worker' = 'controlplane',
    version = 'v1.12.0',
  ): Promise<Hardware> {
    const machine = await this.boot(name, { version })
    const data = Buffer.from(createConfig(type, this.secrets))
    await this.anyone(machine).unary(MachineService.method.applyConfiguration, { data, mode: 1 })
    await this.until(`${name} is configured`, () => this.node(name)?.api.listening === true)
    return machine
  }

  node(name: string) {
    return [...this.talos.nodes].find((node) => node.name === name && node.config !== undefined)
  }

  /** Looks again and again until it is true. */
  async until(what: string, check: () => boolean | Promise<boolean>): Promise<void> {
    const began = performance.now()
    while (!(await check())) {
      if (performance.now() - began > pollLimitMs) throw new Error(`timed out: ${what}`)
      await new Promise((done) => setTimeout(done, 2))
    }
  }

  async close(): Promise<void> {
    for (const client of this.#clients) client.close()
    await this.world.close()
  }

  #keep(client: TalosClient): TalosClient {
    this.#clients.push(client)
    return client
  }
}

export function addressOf({ name, publicIp }: Hardware): string {
  if (publicIp === undefined) throw new Error(`${name} has no public address`)
  return publicIp
}
