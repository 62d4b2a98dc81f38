import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Disk } from '../../src/sandbox/machine.ts'
import type { Volume } from '../container/oci-config.ts'
import { runProgram } from '../run-program.ts'

const folderKey = 'real.folder'
const wipeKey = 'real.wipe'

/** Places of Talos's root that a disk keeps, by the partition that they lie on. */
const places = {
  EPHEMERAL: ['/var', '/etc/cni', '/etc/kubernetes', '/usr/libexec/kubernetes', '/opt'],
  STATE: ['/system/state'],
} as const

/** The partitions of a server's disk with Talos on it, as folders that outlive its containers. */
export class NodeDisk {
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** Opens it, or a new one where the disk was overwritten; empties what was to be wiped. `root` seeds it. */
  static async open(
    disk: Disk,
    { disks, name, root }: { disks: string; name: string; root: string },
  ): Promise<NodeDisk> {
    const known = disk.state.get(folderKey)
    const folder = typeof known === 'string' ? known : join(disks, name)
    if (known === undefined) await rm(folder, { recursive: true, force: true })
    disk.state.set(folderKey, folder)
    const opened = new NodeDisk(folder)
    const wiped = disk.state.get(wipeKey)
    if (Array.isArray(wiped)) {
      for (const partition of wiped)
        await rm(join(folder, partition), { recursive: true, force: true })
      disk.state.delete(wipeKey)
    }
    await opened.#seed(root)
    return opened
  }

  /** To be empty at the next boot. */
  static wipeAtBoot(disk: Disk, partitions: readonly string[]): void {
    disk.state.set(wipeKey, [...partitions])
  }

  get volumes(): Volume[] {
    return Object.entries(places).flatMap(([partition, targets]) =>
      targets.map((target) => ({ source: this.#source(partition, target), target })),
    )
  }

  /** The machine config that Talos keeps. */
  get configFile(): string {
    return join(this.#source('STATE', '/system/state'), 'config.yaml')
  }

  /** What the image has at these places is there from the start. */
  async #seed(root: string): Promise<void> {
    for (const [partition, targets] of Object.entries(places)) {
      for (const target of targets) {
        const source = this.#source(partition, target)
        const created = await mkdir(source, { recursive: true })
        if (created !== undefined) await runProgram('cp', ['-a', `${root}${target}/.`, source])
      }
    }
  }

  #source(partition: string, target: string): string {
    return join(this.#folder, partition, target.slice(1).replaceAll('/', '_'))
  }
}
