import { appendFile, chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import ssh2 from 'ssh2'
import { BalancedService } from '../balancers/balanced-service.ts'
import type { HostBed } from '../bed/host-bed.ts'
import { serveRegistry } from '../registry/serve-registry.ts'
import { runProgram } from '../run-program.ts'
import { cgroupOf } from '../sweep-after.ts'
import { hasControllers, shareProcessors } from './host-cgroups.ts'
import { HostNetwork, hostAddresses } from './host-network.ts'
import { RealHost } from './real-host.ts'
import { serveFolders } from './serve-folders.ts'

export interface StartRealHostsOptions {
  readonly bed: HostBed
  /** Holds all that hosts write; its name begins as that of the world's cgroup. */
  readonly folder: string
  readonly names: readonly string[]
}

/** Hosts that somebody installed, and how to log in to them. */
export interface RealHosts extends AsyncDisposable {
  readonly user: string
  /** In OpenSSH's format. */
  readonly privateKey: string
  /** Where packages come from, instead of from the internet. */
  readonly repositories: string
  /** Where images come from. */
  readonly registry: string
  /** What a cluster file has to say for kubelets to start here, as its `kubeadm.patches`. */
  readonly patches: readonly object[]
  /** An address before all control planes. */
  readonly balancer: string
  /** Throws where there is none of this name. */
  host(name: string): StartedRealHost
}

export interface StartedRealHost {
  readonly host: RealHost
  /** What a file pins: type and key. */
  readonly hostKey: string
}

const user = 'debian'
const userId = 1_000
const ports = { repositories: 80, registry: 5_000, api: 6_443 } as const

/** Starts hosts that nothing was done to. This process must be in namespaces of its own. Dispose of them in the end. */
export async function startRealHosts(options: StartRealHostsOptions): Promise<RealHosts> {
  const { bed, folder, names } = options
  await using started = new AsyncDisposableStack()
  await mkdir(folder, { recursive: true })
  const network = await HostNetwork.open()
  const at = { address: hostAddresses.outside, port: ports.repositories }
  started.use(await serveFolders(bed.repositories, at))
  started.use(
    await serveRegistry({
      address: hostAddresses.outside,
      port: ports.registry,
      images: bed.images,
      background: (answer) => void answer().catch(() => {}),
    }),
  )
  const login = newKeyPair()
  const hosts = new Map<string, StartedRealHost>()
  await shareProcessors(cgroupOf(folder), names.length)
  await Promise.all(
    names.map(async (name) => {
      const key = newKeyPair()
      const address = network.allocate()
      const host = await RealHost.start({
        name,
        address,
        runc: bed.runc,
        root: bed.root,
        folder,
        network,
        install: async (root) => {
          await layLogin(root, { hostKey: key, login: login.public })
          await layPodNetwork(root, address)
        },
      })
      started.defer(() => host.stop())
      hosts.set(name, { host, hostKey: key.public.trim() })
    }),
  )
  started.use(await balance([...hosts.values()].map(({ host }) => host)))
  const kept = started.move()
  return {
    user,
    privateKey: login.private,
    repositories: `http://${hostAddresses.outside}`,
    registry: `http://${hostAddresses.outside}:${ports.registry}`,
    patches: (await hasControllers()) ? [] : [withoutLimits],
    balancer: hostAddresses.balancer,
    host(name) {
      const found = hosts.get(name)
      if (found === undefined) throw new Error(`no host ${name}`)
      return found
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

interface KeyPair {
  readonly private: string
  readonly public: string
}

/** A kubelet that keeps pods to no limits, since nothing on this machine could. */
const withoutLimits = {
  target: 'kubeletconfiguration',
  type: 'merge',
  patch: { cgroupsPerQOS: false, enforceNodeAllocatable: [] },
}

/** Somebody who may become root, the key of the host's SSH, and where it finds packages of its distribution. */
async function layLogin(
  root: string,
  { hostKey, login }: { readonly hostKey: KeyPair; readonly login: string },
): Promise<void> {
  const home = `/home/${user}`
  await runProgram('chroot', [
    root,
    '/usr/sbin/useradd',
    '-m',
    '-s',
    '/bin/bash',
    '-u',
    `${userId}`,
    user,
  ])
  await writeFile(join(root, 'etc/sudoers.d', user), `${user} ALL=(ALL) NOPASSWD: ALL\n`, {
    mode: 0o440,
  })
  const ssh = join(root, home, '.ssh')
  await mkdir(ssh, { mode: 0o700 })
  const keys = join(ssh, 'authorized_keys')
  await writeFile(keys, `${login}\n`, { mode: 0o600 })
  for (const path of [ssh, keys]) await chown(path, userId, userId)
  const own = join(root, 'etc/ssh/ssh_host_ed25519_key')
  await writeFile(own, hostKey.private, { mode: 0o600 })
  await writeFile(`${own}.pub`, `${hostKey.public}\n`)
  await chmod(own, 0o600)
  await writeFile(
    join(root, 'etc/apt/sources.list'),
    `deb [trusted=yes] http://${hostAddresses.outside}/debian ./\n`,
  )
  await appendFile(join(root, 'etc/ssh/sshd_config'), 'HostKey /etc/ssh/ssh_host_ed25519_key\n')
}

/** A network for pods of this host alone, for clusters whose file leaves that to others. */
async function layPodNetwork(root: string, address: string): Promise<void> {
  const range = address.replace(/^\d+\.\d+\.\d+\.(\d+)$/, '10.244.$1.0/24')
  const folder = join(root, 'etc/cni/net.d')
  await mkdir(folder, { recursive: true })
  const plugin = {
    type: 'bridge',
    bridge: 'cni0',
    isGateway: true,
    ipMasq: false,
    ipam: { type: 'host-local', ranges: [[{ subnet: range }]], routes: [{ dst: '0.0.0.0/0' }] },
  }
  const list = { cniVersion: '1.0.0', name: 'rig', plugins: [plugin] }
  await writeFile(join(folder, '10-rig.conflist'), JSON.stringify(list))
}

/** Passes connections on to those hosts that answer at the API server's port. */
async function balance(hosts: readonly RealHost[]): Promise<AsyncDisposable> {
  const service = await BalancedService.open(
    {
      protocol: 'tcp',
      listenPort: ports.api,
      destinationPort: ports.api,
      proxyprotocol: false,
      healthCheck: { protocol: 'tcp', port: ports.api, interval: 1, timeout: 1, retries: 1 },
    },
    [hostAddresses.balancer],
    (found) => found === 'connected',
  )
  service.targets = hosts.map(({ address }, serverId) => ({
    serverId,
    host: address,
    from: hostAddresses.outside,
  }))
  return { [Symbol.asyncDispose]: () => service.close() }
}

/** One in some 270 Ed25519 keys that ssh2 1.17 makes is one that it cannot read. */
function newKeyPair(): KeyPair {
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519')
    if (!(ssh2.utils.parseKey(pair.private) instanceof Error)) return pair
  }
}
