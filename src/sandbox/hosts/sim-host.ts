import { rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import type { World } from '../world.ts'
import { HostFaults } from './host-faults.ts'
import { bareSwaps, type HostFolder, makeHostFolder, setKernel } from './host-folder.ts'
import { HostSpace } from './host-space.ts'
import type { ProgramRun } from './serve-programs.ts'

/** How a script ended that was run on a host, without SSH. */
export interface HostRun {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface SimHostOptions {
  readonly name: string
  /** Its own loopback address. */
  readonly address: string
  readonly machineId: string
}

/** Another process that a host runs, as long as it is on. */
export interface HostService {
  /** The host has started; what is enabled runs. */
  started?(host: SimHost): Promise<void>
  /** The host has lost its power. */
  stopped?(host: SimHost): Promise<void>
  /** Something ran on the host that may have changed its files. */
  changed?(host: SimHost): Promise<void>
  /** A service of systemd was started, restarted or stopped. */
  unit?(host: SimHost, verb: string, unit: string): Promise<void>
  /** A program whose effects are the world's; undefined where it is not one of these. */
  run?(host: SimHost, run: ProgramRun): Promise<number | undefined>
}

/** What a test set of the place of a host, and not of its machine. */
const ofItsPlace = [
  'state/world',
  'state/speed',
  'state/sudo-password',
  'state/web/gpg',
  'state/web/Release.key',
]

/** Programs without any limit on what they write, and the command after them. */
const withFullDisk = ['bash', '-c', 'trap "" XFSZ; ulimit -f 0; exec "$@"', 'bash']

/**
 * A host of files and stand-ins, on which the product's own scripts run in a real bash, with real effects. It can be
 * switched off and on: what is on its disk stays.
 */
export class SimHost {
  readonly name: string
  readonly address: string
  readonly world: World
  readonly faults = new HostFaults()
  readonly services: HostService[] = []
  /** Changes at each boot. */
  bootId = ''
  #space: HostSpace | undefined
  #runtime: Server | undefined
  #folder: HostFolder
  #machineId: string

  private constructor(world: World, folder: HostFolder, options: SimHostOptions) {
    this.world = world
    this.#folder = folder
    this.name = options.name
    this.address = options.address
    this.#machineId = options.machineId
  }

  /** Its disk. */
  get folder(): HostFolder {
    return this.#folder
  }

  get machineId(): string {
    return this.#machineId
  }

  /** A bare one, which is on. */
  static async create(world: World, options: SimHostOptions): Promise<SimHost> {
    const host = new SimHost(world, await makeHostFolder(options.machineId), options)
    host.bootId = world.hex(16)
    host.#space = await HostSpace.open(host.folder.root, host.name)
    return host
  }

  isOn(): boolean {
    return this.#space !== undefined
  }

  /** Whether systemd has this service running. */
  runs(unit: string): boolean {
    return this.isOn() && this.folder.has(`state/started/${unit}`)
  }

  /** Starts a program on it. Throws where it is off. */
  spawn(command: readonly string[], options: { readonly isRoot?: boolean } = {}) {
    if (this.#space === undefined) throw new Error(`${this.name} is off`)
    const all = this.faults.isDiskFull ? [...withFullDisk, ...command] : command
    return this.#space.spawn(all, options)
  }

  /** Runs a script as root, without SSH. */
  run(script: string, args: readonly string[] = []): Promise<HostRun> {
    return new Promise((resolve, reject) => {
      const child = this.spawn(['bash', '-c', script, 'script', ...args])
      let [stdout, stderr] = ['', '']
      child.stdin?.end()
      child.stdout?.on('data', (chunk: Buffer) => {
        stdout += chunk.toString('utf8')
      })
      child.stderr?.on('data', (chunk: Buffer) => {
        stderr += chunk.toString('utf8')
      })
      child.on('error', reject)
      child.on('close', (code) => resolve({ code: code ?? 255, stdout, stderr }))
    })
  }

  /** All that runs on it is gone; what is on its disk stays. */
  async powerOff(): Promise<void> {
    const space = this.#space
    if (space === undefined) return
    this.#space = undefined
    await space.close()
    await this.#stopRuntime()
    for (const service of this.services) await service.stopped?.(this)
  }

  /** It starts from its disk: swap is on where fstab has it, and the kernel is set as its files have it. */
  async powerOn(): Promise<void> {
    if (this.isOn()) return
    await this.#forgetRuntime()
    this.bootId = this.world.hex(16)
    this.#space = await HostSpace.open(this.folder.root, this.name)
    await this.run(bootScript)
    for (const service of this.services) await service.started?.(this)
  }

  async reboot(): Promise<void> {
    await this.powerOff()
    await this.powerOn()
  }

  /** Another machine takes its place, as bare as an installed one, at its address and with its host key. */
  async replaceMachine(): Promise<void> {
    await this.powerOff()
    const former = this.#folder
    this.#machineId = this.world.hex(16)
    this.#folder = await makeHostFolder(this.#machineId)
    for (const path of ofItsPlace) {
      const text = await former.find(path)
      if (text !== undefined) await this.#folder.put(path, text)
    }
    await rm(former.root, { recursive: true, force: true })
    this.bootId = this.world.hex(16)
    this.#space = await HostSpace.open(this.#folder.root, this.name)
    for (const service of this.services) await service.started?.(this)
  }

  /** A stand-in of a program has something done: in the services of this host, the first of which that knows it does it. */
  async runProgram(run: ProgramRun): Promise<number> {
    const [verb = '', unit = ''] = run.args
    if (run.program === 'systemctl') {
      await this.changeUnit(verb, unit)
      return 0
    }
    if (['halt', 'poweroff', 'shutdown', 'reboot'].includes(run.program)) {
      const isBack = run.program === 'reboot' || run.args.includes('-r')
      this.world.background(() => (isBack ? this.reboot() : this.powerOff()))
      return 0
    }
    for (const service of this.services) {
      const code = await service.run?.(this, run)
      if (code !== undefined) return code
    }
    run.err(`${run.program}: ${run.args.join(' ')}: not on a host without a cluster`)
    return 1
  }

  /** Its files may have changed. */
  async changed(): Promise<void> {
    for (const service of this.services) await service.changed?.(this)
  }

  /** Ends it for good. */
  async remove(): Promise<void> {
    await this.powerOff()
    await rm(this.folder.root, { recursive: true, force: true })
  }

  /** What follows from a service that systemd started, restarted or stopped. */
  async changeUnit(verb: string, unit: string): Promise<void> {
    if (unit === 'containerd') await (verb === 'stop' ? this.#stopRuntime() : this.#startRuntime())
    for (const service of this.services) await service.unit?.(this, verb, unit)
  }

  /** containerd is there as long as it has a socket. */
  async #startRuntime(): Promise<void> {
    if (this.#runtime !== undefined) return
    const { root, put } = this.folder
    await put('run/containerd/marker', '')
    const server = createServer((socket) => socket.destroy())
    this.#runtime = server
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(join(root, 'run/containerd/containerd.sock'), resolve)
    })
  }

  async #stopRuntime(): Promise<void> {
    const server = this.#runtime
    this.#runtime = undefined
    if (server) await new Promise((done) => server.close(done))
  }

  async #forgetRuntime(): Promise<void> {
    const { folder } = this
    for (const path of ['run', 'tmp', 'sys/module', 'state/started', 'state/units']) {
      await rm(join(folder.root, path), { recursive: true, force: true })
      await folder.put(`${path}/.boot`, '')
      await folder.remove(`${path}/.boot`)
    }
    await setKernel(folder)
    await folder.put('swaps', bareSwaps)
  }
}

/** What the system does as it starts, as far as hosts are asked. */
const bootScript = `
if ! awk '!/^[[:space:]]*#/ && $3 == "swap" && $1 == "/dev/sda2" { found = 1 } END { exit !found }' /etc/fstab &&
  ! grep -qs loaded /mnt/state/swap-units/*; then swapoff -a; fi
for file in /etc/modules-load.d/*.conf; do
  [ ! -e "$file" ] || while read -r module; do modprobe -- "$module"; done <"$file"
done
for file in /etc/sysctl.d/*.conf; do [ ! -e "$file" ] || sysctl -q -p "$file"; done
for file in /mnt/state/enabled/*; do
  case \${file##*/} in containerd | kubelet) systemctl start "\${file##*/}" ;; esac
done`
