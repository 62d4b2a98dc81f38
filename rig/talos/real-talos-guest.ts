import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { Guest, GuestFactory, Machine } from '../../src/sandbox/machine.ts'
import { talosPort } from '../../src/sandbox/talos/api/talos-port.ts'
import { decodeUserData } from '../../src/sandbox/talos/config/decode-user-data.ts'
import { parseTalosVersion, type TalosVersion } from '../../src/sandbox/talos/talos-version.ts'
import type { World } from '../../src/sandbox/world.ts'
import { checkTarget } from '../balancers/check-target.ts'
import type { Bed } from '../bed/bed.ts'
import { Container } from '../container/container.ts'
import { rigAddresses } from '../network/rig-addresses.ts'
import type { RigNetwork } from '../network/rig-network.ts'
import { cgroupOf } from '../sweep-after.ts'
import { NodeDisk } from './node-disk.ts'
import { findIssuer, type NodeIdentity, readNodeIdentity } from './node-identity.ts'
import { TalosFront } from './talos-front.ts'

export interface RealNodesOptions {
  readonly bed: Bed
  /** A folder of this world's own, on a file system that can be the upper part of an overlay. */
  readonly folder: string
  readonly network: RigNetwork
}

/** How long a node may take until its API listens, before its server counts as on all the same. */
const bootMs = 30_000
const knockMs = 100

/**
 * What runs on a machine whose disk has Talos on it: Talos's own machined as the first process of a
 * container, with the machine's wires and disk. Another version on the disk is another root at the next
 * boot.
 */
export function realTalosGuest(options: RealNodesOptions): GuestFactory {
  const running = new Map<number, NodeDisk>()
  return async (machine, world) => {
    const { image } = machine.disk
    const version = image.kind === 'talos' ? parseTalosVersion(image.version) : undefined
    const root = version && rootOf(options.bed, version)
    if (version === undefined || root === undefined) {
      throw new Error(`there is no Talos ${version?.tag ?? '?'} to start here`)
    }
    const disk = await openDisk(machine, root, options.folder)
    running.set(machine.serverId, disk)
    return startNode({ machine, world, version, root, disk, running, options })
  }
}

interface Boot {
  readonly machine: Machine
  readonly world: World
  readonly version: TalosVersion
  readonly root: string
  readonly disk: NodeDisk
  readonly running: Map<number, NodeDisk>
  readonly options: RealNodesOptions
}

async function startNode(boot: Boot): Promise<Guest> {
  const { machine, world, version, root, disk, running, options } = boot
  const { bed, folder, network } = options

  const { path } = await network.plug(machine)
  const address = machine.publicIp ?? machine.privateIps[0] ?? ''
  const front = await TalosFront.open({
    world,
    machine,
    version,
    address,
    identify: () => identify(disk, [...running.values()]),
    hasTalos: (wanted) => rootOf(bed, wanted) !== undefined,
    wipe: (partitions) => wipe(machine, partitions),
  })
  world.log.onCut(() => front.cutAll())
  await network.putFront(machine.serverId, front.port)
  const name = `node-${machine.serverId}`
  const container = await Container.start({
    name,
    runc: bed.programs.runc,
    runtimeFolder: join(folder, 'runc'),
    cgroup: cgroupOf(folder),
    folder: join(folder, 'running', name),
    lower: root,
    console: join(folder, `${machine.name}.log`),
    bootId: machine.bootId,
    prepareRoot: (mounted) => layFiles(mounted, machine),
    system: {
      hostname: machine.name,
      readOnlyRoot: true,
      args: ['/sbin/init'],
      environment: environment(machine),
      networkNamespace: path,
      volumes: disk.volumes,
      temporary: ['/run', '/tmp', '/system'],
    },
    // A Talos that ends its first process has rebooted, as far as a container lets it.
    onExit: () => world.background(() => world.reboot(machine)),
  })
  await listens(address, world)
  return {
    stop: async () => {
      running.delete(machine.serverId)
      await front.close()
      await container.stop()
      await network.unplug(machine.serverId)
    },
  }
}

async function openDisk(machine: Machine, root: string, folder: string): Promise<NodeDisk> {
  const disks = join(folder, 'disks')
  await mkdir(disks, { recursive: true })
  return NodeDisk.open(machine.disk, { disks, name: `server-${machine.serverId}`, root })
}

function rootOf({ talosRoots }: Bed, { tag }: TalosVersion): string | undefined {
  return talosRoots.get(tag.slice(1))
}

function wipe({ disk }: Machine, partitions: readonly string[]): void {
  if (partitions.length > 0) {
    NodeDisk.wipeAtBoot(disk, partitions)
    return
  }
  // The whole disk: nothing boots from it any more.
  disk.state.clear()
  disk.image = { kind: 'garbage' }
}

async function identify(disk: NodeDisk, others: readonly NodeDisk[]) {
  const identity = await readNodeIdentity(disk.configFile)
  if (identity === undefined) return undefined
  const read = await Promise.all(others.map((other) => readNodeIdentity(other.configFile)))
  const known = read.filter((other): other is NodeIdentity => other !== undefined)
  const issuer = findIssuer(identity, known)
  return issuer === undefined ? undefined : { identity, issuer }
}

/** Talos lays its own over names and addresses; images of the factory tell their schematic as an extension. */
async function layFiles(root: string, machine: Machine): Promise<void> {
  const { image } = machine.disk
  if (image.kind === 'talos') {
    const metadata = { name: 'schematic', version: image.schematic, author: 'Image Factory' }
    const extensions = stringify({ layers: [{ image: '0.sqsh', metadata }] })
    await writeFile(join(root, 'etc/extensions.yaml'), extensions)
  }
  await writeFile(join(root, 'etc/hostname'), `${machine.name}\n`)
  await writeFile(join(root, 'etc/hosts'), '127.0.0.1 localhost\n')
  await writeFile(join(root, 'etc/resolv.conf'), `nameserver ${rigAddresses.internet}\n`)
}

function environment(machine: Machine): Record<string, string> {
  const config = decodeUserData(machine.userData)
  return {
    PATH: '/usr/bin:/usr/local/bin',
    PLATFORM: 'container',
    TALOSSKU: 'hcloud',
    ...(config !== undefined && { USERDATA: Buffer.from(config).toString('base64') }),
  }
}

/** Resolves when something listens on the Talos port, or when it should have long ago. */
async function listens(host: string, { clock, signal }: World): Promise<void> {
  const deadline = clock.now() + bootMs
  const way = { host, from: rigAddresses.rig }
  while (clock.now() < deadline && !signal.aborted) {
    if (await checkTarget(way, { protocol: 'tcp', port: talosPort, timeout: 1 })) return
    await clock.sleep(knockMs, signal).catch(() => {})
  }
}
