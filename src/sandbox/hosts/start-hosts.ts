import ssh2 from 'ssh2'
import { createClock } from '../../lib/clock.ts'
import { World } from '../world.ts'
import { HostClusters } from './cluster/host-clusters.ts'
import type { HostNode } from './cluster/host-node.ts'
import { HostSsh } from './host-ssh.ts'
import { ProgramServer } from './serve-programs.ts'
import { SimHost } from './sim-host.ts'

export interface StartHostsOptions {
  /** Names of the hosts, or how many there are: `host-1` and so on. */
  readonly hosts: number | readonly string[]
  /** The world that they are in; one of their own where absent. */
  readonly world?: World
  /** How many times as fast as the wall their own world's time runs; 50 where absent. */
  readonly speed?: number
  /** Their addresses among each other by name; those at which SSH reaches them where absent. */
  readonly nodeIps?: Readonly<Record<string, string>>
  /** Pods have a network without any addon. */
  readonly hasOwnNetwork?: boolean
  /** Who logs in; root where absent. Anybody else becomes root by sudo. */
  readonly user?: string
  /** What sudo asks for; nothing where absent. */
  readonly sudoPassword?: string
  /** What the private key is encrypted with; nothing where absent. */
  readonly passphrase?: string
}

/** A host, and how to log in to it. */
export interface StartedHost {
  readonly host: SimHost
  readonly ssh: HostSsh
  /** What runs of a cluster on it. */
  readonly node: HostNode
  /** What a file pins: type and key. */
  readonly hostKey: string
}

/** Simulated hosts that exist, each at a loopback address of its own. */
export interface SimHosts extends AsyncDisposable {
  readonly world: World
  readonly started: ReadonlyMap<string, StartedHost>
  /** What kubeadm made on them. */
  readonly clusters: HostClusters
  /** Free addresses: one for a virtual IP, one that leads to all control planes. */
  readonly virtualIp: string
  readonly balancer: string
  /** Of all of them. */
  readonly port: number
  readonly user: string
  /** In OpenSSH's format. */
  readonly privateKey: string
  /** Throws where there is none of this name. */
  host(name: string): StartedHost
}

/** Starts hosts that are as bare as installed ones. Dispose of them in the end: they are folders, processes and sockets. */
export async function startHosts(options: StartHostsOptions): Promise<SimHosts> {
  const { user = 'root', speed = 50, sudoPassword, passphrase } = options
  const ownWorld = options.world === undefined
  const world = options.world ?? new World({ clock: createClock(speed), latencies: 'none' })
  const names =
    typeof options.hosts === 'number'
      ? Array.from({ length: options.hosts }, (_, index) => `host-${index + 1}`)
      : options.hosts
  const port = 2_222 + (world.random.bytes(1)[0] ?? 0)
  const login = newKeyPair(passphrase)
  const programs = new ProgramServer((error) => {
    if (world.signal.aborted) return
    world.contractErrors.push(`a program of a host failed: ${describe(error)}`)
  })
  const programPort = await programs.listen()
  const started = new Map<string, StartedHost>()
  const [virtualIp, balancer] = [await world.addresses.allocate(), await world.addresses.allocate()]
  const { hasOwnNetwork = false, nodeIps = {} } = options
  const clusters = new HostClusters(world, { hasOwnNetwork, balancer })
  const close = async () => {
    await Promise.all([...started.values()].map(({ host }) => host.remove()))
    await Promise.all(clusters.all.map((cluster) => cluster.end()))
    await programs.close()
  }
  world.onClose(close)
  const start = async (name: string) => {
    const address = await world.addresses.allocate()
    const host = await SimHost.create(world, { name, address, machineId: world.hex(16) })
    const token = world.hex(16)
    const key = newKeyPair()
    const ssh = new HostSsh(host, {
      port,
      user,
      publicKey: login.public,
      hostKey: key.private,
      route: (to) => clusters.route(to),
    })
    const node = clusters.addHost(host, nodeIps[name] ?? address)
    started.set(name, { host, ssh, node, hostKey: key.public.trim() })
    programs.register(token, (run) => host.runProgram(run))
    await host.folder.put('state/world', `${programPort} ${token}\n`)
    await host.folder.put('state/speed', `${speed}\n`)
    if (sudoPassword !== undefined) await host.folder.put('state/sudo-password', sudoPassword)
    host.services.push(ssh)
    await ssh.started()
  }
  const outcomes = await Promise.allSettled(names.map(start))
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) {
    await (ownWorld ? world.close() : close())
    throw failed.reason
  }
  return {
    world,
    started,
    clusters,
    virtualIp,
    balancer,
    port,
    user,
    privateKey: login.private,
    host: (name) => {
      const found = started.get(name)
      if (found === undefined) throw new Error(`no host ${name}`)
      return found
    },
    [Symbol.asyncDispose]: () => (ownWorld ? world.close() : close()),
  }
}

/** One in some 270 Ed25519 keys that ssh2 1.17 makes is one that it cannot read. */
function newKeyPair(passphrase?: string): { readonly private: string; readonly public: string } {
  for (;;) {
    const pair =
      passphrase === undefined
        ? ssh2.utils.generateKeyPairSync('ed25519')
        : ssh2.utils.generateKeyPairSync('ed25519', { passphrase, cipher: 'aes256-cbc', rounds: 4 })
    if (!(ssh2.utils.parseKey(pair.private, passphrase) instanceof Error)) return pair
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
