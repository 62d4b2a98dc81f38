import { firewallsOfServer } from '../../src/sandbox/hetzner/firewalls/firewalls-of-server.ts'
import { cidrHost, parseCidr } from '../../src/sandbox/ip-range.ts'
import type { Machine } from '../../src/sandbox/machine.ts'
import type { World } from '../../src/sandbox/world.ts'
import { runProgram } from '../run-program.ts'
import { requireEmptyNamespace } from './require-empty-namespace.ts'
import { rigAddresses } from './rig-addresses.ts'
import { type GuardedServer, rigRules } from './rig-rules.ts'

/** What Hetzner's private networks carry. */
const privateMtu = 1_450
/** How often the kernel is told what changed at Hetzner's front, in milliseconds. */
const syncMs = 100

/** A server that is on: its namespace and the links into it. */
interface Wired {
  readonly machine: Machine
  readonly namespace: string
  readonly publicLink: string
  /** Names of links in the world's namespace, by the private address that they lead to. */
  readonly privateLinks: Map<string, PrivateLink>
}

interface PrivateLink {
  readonly link: string
  readonly inside: string
}

/** A route of a Hetzner network, as the kernel has it. */
interface KernelRoute {
  readonly destination: string
  readonly via: string
  readonly link: string
}

/**
 * The wires of a world with real nodes, in the network namespace that this process lives in: a namespace
 * for each server that is on, with a public and a private side that are routed one by one, as Hetzner
 * does; its firewalls, the routes of its networks and the addresses of its load balancers follow what its
 * front says. A server that is off has no wires, so nothing of it answers.
 */
export class RigNetwork {
  readonly #world: World
  readonly #wired = new Map<number, Wired>()
  readonly #fronts = new Map<number, number>()
  readonly #balancerAddresses = new Set<string>()
  #routes: readonly KernelRoute[] = []
  #rules = ''
  #turn: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

  private constructor(world: World) {
    this.#world = world
  }

  /** Prepares this process's own namespace. Throws in one that has wires: it may be that of the machine. */
  static async open(world: World): Promise<RigNetwork> {
    await requireEmptyNamespace()
    const { internet, rig, metadata } = rigAddresses
    await ip('link', 'set', 'lo', 'up')
    for (const address of [internet, rig, metadata]) {
      await ip('addr', 'replace', `${address}/32`, 'dev', 'lo')
    }
    await runProgram('sysctl', [
      '-qw',
      'net.ipv4.ip_forward=1',
      'net.ipv4.conf.all.rp_filter=0',
      'net.ipv4.conf.default.rp_filter=0',
      // Nodes reach the world's fronts, which listen on loopback.
      'net.ipv4.conf.all.route_localnet=1',
    ])
    // Names of namespaces stay within this process's own mounts.
    await runProgram('mkdir', ['-p', '/run/netns'])
    await runProgram('mount', ['-t', 'tmpfs', 'rig-netns', '/run/netns'])
    const network = new RigNetwork(world)
    network.#timer = setInterval(() => world.background(() => network.sync()), syncMs)
    world.onClose(async () => {
      clearInterval(network.#timer)
      await network.#turn.catch(() => {})
    })
    return network
  }

  /** A namespace with this machine's wires; its path is what a container joins. */
  async plug(machine: Machine): Promise<{ readonly namespace: string; readonly path: string }> {
    const namespace = `server-${machine.serverId}`
    const publicLink = `p${machine.serverId}`
    await ip('netns', 'add', namespace)
    await ip('-n', namespace, 'link', 'set', 'lo', 'up')
    if (machine.publicIp !== undefined) {
      await this.#wirePublic(namespace, publicLink, machine.publicIp)
    }
    this.#wired.set(machine.serverId, { machine, namespace, publicLink, privateLinks: new Map() })
    await this.sync()
    return { namespace, path: `/run/netns/${namespace}` }
  }

  /** Takes the wires away; whatever used them hears nothing more. */
  async unplug(serverId: number): Promise<void> {
    const wired = this.#wired.get(serverId)
    if (wired === undefined) return
    this.#wired.delete(serverId)
    this.#fronts.delete(serverId)
    await this.sync()
    const links = [...wired.privateLinks.values()].map(({ link }) => link)
    for (const link of [wired.publicLink, ...links]) await ipIfThere('link', 'delete', link)
    await ip('netns', 'delete', wired.namespace)
  }

  /** From now on what comes for this server's Talos API goes to a port of the rig. */
  async putFront(serverId: number, port: number): Promise<void> {
    this.#fronts.set(serverId, port)
    await this.sync()
  }

  /** Tells the kernel what is true at Hetzner's front now. */
  sync(): Promise<void> {
    this.#turn = this.#turn.catch(() => {}).then(() => this.#sync())
    return this.#turn
  }

  async #sync(): Promise<void> {
    for (const wired of this.#wired.values()) await this.#followAttachments(wired)
    await this.#followBalancers()
    await this.#followRoutes()
    const rules = rigRules([...this.#wired.values()].map((wired) => this.#guarded(wired)))
    if (rules === this.#rules) return
    await runProgram('nft', ['-f', '-'], { input: rules })
    this.#rules = rules
  }

  async #wirePublic(namespace: string, link: string, address: string): Promise<void> {
    const { publicGateway, internet } = rigAddresses
    await addLink(link, namespace, 'eth0')
    await ip('addr', 'add', `${publicGateway}/32`, 'dev', link)
    await ip('link', 'set', link, 'up')
    await ip('-n', namespace, 'addr', 'add', `${address}/32`, 'dev', 'eth0')
    await ip('-n', namespace, 'link', 'set', 'eth0', 'up')
    await ip('-n', namespace, 'route', 'add', publicGateway, 'dev', 'eth0')
    await ip('-n', namespace, 'route', 'add', 'default', 'via', publicGateway)
    await ip('route', 'replace', `${address}/32`, 'dev', link, 'src', internet)
  }

  /** Private sides come and go while a server runs. */
  async #followAttachments(wired: Wired): Promise<void> {
    const server = this.#world.hetzner.servers.get(wired.machine.serverId)
    const nets = server?.privateNets ?? []
    for (const [address, { link }] of wired.privateLinks) {
      if (nets.some((net) => net.ip === address)) continue
      wired.privateLinks.delete(address)
      await ipIfThere('link', 'delete', link)
    }
    for (const { network, ip: address, aliasIps } of nets) {
      const range = this.#world.hetzner.networks.get(network)?.ipRange
      if (range === undefined || wired.privateLinks.has(address)) continue
      const inside = firstFree(wired)
      const link = `n${inside.slice(3)}-${wired.machine.serverId}`
      await wirePrivate({ namespace: wired.namespace, link, inside, address, range, aliasIps })
      wired.privateLinks.set(address, { link, inside })
    }
  }

  /** Load balancers answer in this namespace, at their own addresses. */
  async #followBalancers(): Promise<void> {
    const wanted = new Set(
      [...this.#world.hetzner.loadBalancers.values()].flatMap(
        ({ publicEnabled, ipv4, privateNets }) => [
          ...(publicEnabled ? [ipv4] : []),
          ...privateNets.map((net) => net.ip),
        ],
      ),
    )
    for (const address of wanted) {
      if (this.#balancerAddresses.has(address)) continue
      await ip('addr', 'replace', `${address}/32`, 'dev', 'lo')
      this.#balancerAddresses.add(address)
    }
    for (const address of this.#balancerAddresses) {
      if (wanted.has(address)) continue
      await ipIfThere('addr', 'delete', `${address}/32`, 'dev', 'lo')
      this.#balancerAddresses.delete(address)
    }
  }

  /** The routes of Hetzner's networks: pods' ranges, by the private address of their node. */
  async #followRoutes(): Promise<void> {
    const wanted = this.#wantedRoutes()
    const same = (a: KernelRoute, b: KernelRoute) =>
      a.destination === b.destination && a.via === b.via && a.link === b.link
    for (const route of this.#routes) {
      if (wanted.some((other) => other.destination === route.destination)) continue
      await ipIfThere('route', 'delete', route.destination)
    }
    for (const route of wanted) {
      if (this.#routes.some((other) => same(other, route))) continue
      await ip('route', 'replace', route.destination, 'via', route.via, 'dev', route.link)
    }
    this.#routes = wanted
  }

  #wantedRoutes(): KernelRoute[] {
    const links = new Map(
      [...this.#wired.values()].flatMap(({ privateLinks }) =>
        [...privateLinks].map(([address, { link }]) => [address, link] as const),
      ),
    )
    return [...this.#world.hetzner.networks.values()]
      .flatMap((network) => network.routes)
      .flatMap(({ destination, gateway }) => {
        const link = links.get(gateway)
        return link === undefined ? [] : [{ destination, via: gateway, link }]
      })
  }

  #guarded({ machine, privateLinks }: Wired): GuardedServer {
    const firewalls = firewallsOfServer(this.#world, machine.serverId)
    return {
      serverId: machine.serverId,
      publicIp: machine.publicIp,
      privateIps: [...privateLinks.keys()],
      rules: firewalls.length === 0 ? undefined : firewalls.flatMap(({ rules }) => rules),
      talosFront: this.#fronts.get(machine.serverId),
    }
  }
}

function firstFree({ privateLinks, machine }: Wired): string {
  const taken = [...privateLinks.values()].map(({ inside }) => inside)
  const first = machine.publicIp === undefined ? 0 : 1
  for (let index = first; ; index++) if (!taken.includes(`eth${index}`)) return `eth${index}`
}

/** A private side: its own address, and a way to the whole network through Hetzner's gateway. */
async function wirePrivate(wire: {
  readonly namespace: string
  readonly link: string
  readonly inside: string
  readonly address: string
  readonly range: string
  readonly aliasIps: readonly string[]
}): Promise<void> {
  const { namespace, link, inside, address, range, aliasIps } = wire
  const network = parseCidr(range)
  if (network === undefined) throw new Error(`no range of a network: ${range}`)
  const gateway = cidrHost(network, 1)
  await addLink(link, namespace, inside)
  await ip('link', 'set', link, 'mtu', `${privateMtu}`)
  await ip('addr', 'add', `${gateway}/32`, 'dev', link)
  await ip('link', 'set', link, 'up')
  await ip('-n', namespace, 'link', 'set', inside, 'mtu', `${privateMtu}`)
  await ip('-n', namespace, 'addr', 'add', `${address}/32`, 'dev', inside)
  await ip('-n', namespace, 'link', 'set', inside, 'up')
  await ip('-n', namespace, 'route', 'add', gateway, 'dev', inside)
  await ip('-n', namespace, 'route', 'add', range, 'via', gateway, 'dev', inside)
  for (const reached of [address, ...aliasIps]) {
    await ip('route', 'replace', `${reached}/32`, 'dev', link, 'src', gateway)
  }
}

function addLink(link: string, namespace: string, inside: string): Promise<string> {
  return ip('link', 'add', link, 'type', 'veth', 'peer', 'name', inside, 'netns', namespace)
}

function ip(...args: string[]): Promise<string> {
  return runProgram('ip', args)
}

/** For what may be gone already: a link goes with the namespace of its other end. */
async function ipIfThere(...args: string[]): Promise<void> {
  await ip(...args).catch(() => {})
}
