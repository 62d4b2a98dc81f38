import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runProgram } from '../run-program.ts'
import { type ContainerSpec, ociConfig } from './oci-config.ts'

export interface StartContainerOptions {
  /** Unique in the world. */
  readonly name: string
  /** The runc to use. */
  readonly runc: string
  /** Where runc keeps what it knows of containers. */
  readonly runtimeFolder: string
  /** A folder of this container's own, which goes with it. */
  readonly folder: string
  /** Keeps what the system writes to its root, for the next one that is started on it; gone with it where absent. */
  readonly disk?: string
  /** The file system that it starts from; never written to. */
  readonly lower: string
  /** The cgroup that holds the world's containers. */
  readonly cgroup: string
  /** What the system writes to its console goes here, after what is there already. */
  readonly console: string
  readonly bootId: string
  readonly system: Omit<ContainerSpec, 'root' | 'cgroup' | 'bootIdFile'>
  /** Lays files of this machine into its root before the system starts. */
  readonly prepareRoot?: (root: string) => Promise<void>
  /** Told when the system ended without having been stopped. */
  readonly onExit: () => void
}

/** How often a container that was killed is asked whether it is gone, and how often that may be. */
const deleteAttempts = 20
const deletePauseMs = 100

/** A system that runs in a container on a root of its own, which is gone with it. */
export class Container {
  readonly #options: StartContainerOptions
  readonly #process: ChildProcess
  readonly #ended: Promise<void>
  #stopping = false

  private constructor(options: StartContainerOptions, process: ChildProcess) {
    this.#options = options
    this.#process = process
    this.#ended = new Promise((resolve) => process.once('exit', () => resolve()))
    void this.#ended.then(() => {
      if (!this.#stopping) options.onExit()
    })
  }

  static async start(options: StartContainerOptions): Promise<Container> {
    const { name, runc, runtimeFolder, folder, lower, console, bootId, system } = options
    const disk = options.disk ?? folder
    const parts = {
      root: join(folder, 'root'),
      upper: join(disk, 'upper'),
      work: join(disk, 'work'),
    }
    const { root } = parts
    await rm(folder, { recursive: true, force: true })
    for (const part of Object.values(parts)) await mkdir(part, { recursive: true })
    const layers = `lowerdir=${lower},upperdir=${parts.upper},workdir=${parts.work}`
    await runProgram('mount', ['-t', 'overlay', 'overlay', '-o', layers, root])
    await options.prepareRoot?.(root)
    const bootIdFile = join(folder, 'boot-id')
    await writeFile(bootIdFile, `${bootId}\n`)
    const config = ociConfig({ ...system, root, cgroup: `${options.cgroup}/${name}`, bootIdFile })
    await writeFile(join(folder, 'config.json'), JSON.stringify(config))
    const output = openSync(console, 'a')
    const run = ['--root', runtimeFolder, 'run', '--no-new-keyring', '--bundle', folder, name]
    const [program, ...args] = within(system.unifiedCgroups, [runc, ...run])
    const process = spawn(program, args, { stdio: ['ignore', output, output] })
    closeSync(output)
    await new Promise<void>((resolve, reject) => {
      process.once('spawn', () => resolve())
      process.once('error', reject)
    })
    return new Container(options, process)
  }

  /** Ends it as a power cut does, and takes away everything of it but its volumes and console. */
  async stop(): Promise<void> {
    this.#stopping = true
    const { name, folder } = this.#options
    // It may have ended by itself, or not have started.
    await this.#runc('kill', name, 'KILL').catch(() => {})
    await Promise.race([this.#ended, pause(5_000)])
    this.#process.kill('SIGKILL')
    await this.#ended
    await this.#delete()
    await runProgram('umount', ['--lazy', join(folder, 'root')])
    await rm(folder, { recursive: true, force: true })
  }

  async #delete(): Promise<void> {
    const { name } = this.#options
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#runc('delete', '--force', name)
        return
      } catch (error) {
        if (attempt === deleteAttempts) throw error
        await pause(deletePauseMs)
      }
    }
  }

  #runc(...args: string[]): Promise<string> {
    return runProgram(this.#options.runc, ['--root', this.#options.runtimeFolder, ...args])
  }
}

/** A runc of cgroups of version 1 leaves a container in the cgroup of version 2 in which it is run itself. */
function within(
  cgroup: string | undefined,
  [program, ...args]: readonly [string, ...string[]],
): readonly [string, ...string[]] {
  if (cgroup === undefined) return [program, ...args]
  const enter = 'echo 0 >"$1/cgroup.procs" && shift && exec "$@"'
  return ['sh', '-c', enter, 'sh', cgroup, program, ...args]
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref())
}
