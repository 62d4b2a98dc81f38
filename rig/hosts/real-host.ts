import { randomBytes, randomUUID } from 'node:crypto'
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { release } from 'node:os'
import { join } from 'node:path'
import { Container } from '../container/container.ts'
import { runProgram } from '../run-program.ts'
import { cgroupOf } from '../sweep-after.ts'
import { layShownControllers, makeHostCgroups, removeHostCgroups } from './host-cgroups.ts'
import { type HostNetwork, hostAddresses } from './host-network.ts'

export interface RealHostOptions {
  readonly name: string
  readonly address: string
  readonly runc: string
  /** The root that it starts from; never written to. */
  readonly root: string
  /** Holds the disks and consoles of all hosts; its name is that of their cgroup. */
  readonly folder: string
  readonly network: HostNetwork
  /** Lays its own files into its root when it is installed. */
  readonly install: (root: string) => Promise<void>
}

/**
 * Folders that are disks of their own, as on many hosts: containerd lays mounts there that cannot be laid on the root of
 * a container, and the kubelet measures its.
 */
const volumes = ['/var/lib/containerd', '/var/lib/etcd', '/var/lib/kubelet']

/** What belongs to the machine, and what only a machine of its own has. */
const masked = [
  'apt-daily.timer',
  'apt-daily-upgrade.timer',
  'e2scrub_all.timer',
  'systemd-udev-trigger.service',
  'systemd-udevd-control.socket',
  'systemd-udevd-kernel.socket',
  'systemd-udevd.service',
]

/** A host that systemd has started, on a disk that outlives its being switched off. */
export class RealHost {
  readonly name: string
  readonly address: string
  readonly #options: RealHostOptions
  readonly #disk: string
  #on: { readonly container: Container; readonly unifiedCgroups: string | undefined } | undefined

  private constructor(options: RealHostOptions) {
    this.name = options.name
    this.address = options.address
    this.#options = options
    this.#disk = join(options.folder, 'disks', options.name)
  }

  /** Installs it and switches it on; it may not answer yet. */
  static async start(options: RealHostOptions): Promise<RealHost> {
    const host = new RealHost(options)
    await host.#start(true)
    return host
  }

  get consoleFile(): string {
    return join(this.#options.folder, `${this.name}.log`)
  }

  /** Switches it off as a power cut does. */
  async stop(): Promise<void> {
    const on = this.#on
    if (on === undefined) return
    this.#on = undefined
    await on.container.stop()
    if (on.unifiedCgroups !== undefined) await removeHostCgroups(on.unifiedCgroups)
    await this.#options.network.unplug(this.name)
  }

  /** Switches it on again. */
  async restart(): Promise<void> {
    await this.stop()
    await this.#start(false)
  }

  /** Runs a command on it, beside SSH: for looking, and for what goes wrong on hosts. */
  run(...command: string[]): Promise<string> {
    const { runc } = this.#options
    return runProgram(runc, ['--root', this.#runtimeFolder, 'exec', this.name, ...command])
  }

  get #runtimeFolder(): string {
    return join(this.#options.folder, 'runc')
  }

  get #runningFolder(): string {
    return join(this.#options.folder, 'running', this.name)
  }

  async #start(isNew: boolean): Promise<void> {
    const { name, address, runc, root, folder, network, install } = this.#options
    const namespace = await network.plug(name, address)
    const cgroup = cgroupOf(folder)
    await mkdir(this.#disk, { recursive: true })
    const unifiedCgroups = await makeHostCgroups(join(cgroup, name))
    const volumesOf = volumes.map((target) => ({
      source: join(this.#disk, target.replaceAll('/', '_')),
      target,
    }))
    for (const { source } of volumesOf) await mkdir(source, { recursive: true })
    const container = await Container.start({
      name,
      runc,
      runtimeFolder: this.#runtimeFolder,
      cgroup,
      folder: this.#runningFolder,
      disk: this.#disk,
      lower: root,
      console: this.consoleFile,
      bootId: randomUUID(),
      prepareRoot: async (mounted) => {
        if (!isNew) return
        await layHostFiles(mounted, name)
        await layShownControllers(mounted)
        await install(mounted)
      },
      system: {
        hostname: name,
        readOnlyRoot: false,
        args: ['/sbin/init'],
        environment: {
          container: 'oci',
          PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        },
        networkNamespace: namespace,
        ...(unifiedCgroups !== undefined && { unifiedCgroups }),
        volumes: volumesOf,
        temporary: ['/run', '/tmp'],
      },
      onExit: () => {},
    })
    this.#on = { container, unifiedCgroups }
  }
}

/** What an installer writes: its names, its id, and what it finds of the kernel. */
async function layHostFiles(root: string, name: string): Promise<void> {
  await writeFile(join(root, 'etc/machine-id'), `${randomBytes(16).toString('hex')}\n`)
  await writeFile(join(root, 'etc/hostname'), `${name}\n`)
  await writeFile(join(root, 'etc/hosts'), `127.0.0.1 localhost\n127.0.1.1 ${name}\n`)
  await writeFile(join(root, 'etc/resolv.conf'), `nameserver ${hostAddresses.outside}\n`)
  for (const unit of masked) await symlink('/dev/null', join(root, 'etc/systemd/system', unit))
  const modules = join(root, 'lib/modules', release())
  await mkdir(modules, { recursive: true })
  // The machine's kernel has all that it has built in.
  const builtIn = ['fs/overlayfs/overlay', 'net/bridge/br_netfilter'].map(
    (path) => `kernel/${path}.ko\n`,
  )
  await writeFile(join(modules, 'modules.builtin'), builtIn.join(''))
  await writeFile(join(modules, 'modules.order'), '')
  await runProgram('chroot', [root, '/sbin/depmod', release()])
  await chmod(join(root, 'etc/machine-id'), 0o444)
}
