import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readDisk } from '../../src/sandbox/factory/disk-image.ts'
import type { Guest, GuestFactory, Machine } from '../../src/sandbox/machine.ts'
import type { World } from '../../src/sandbox/world.ts'
import { Container } from '../container/container.ts'
import { rigAddresses } from '../network/rig-addresses.ts'
import { cgroupOf } from '../sweep-after.ts'
import type { RealNodesOptions } from '../talos/real-talos-guest.ts'

/** A file that stands for the machine's disk: a program that writes to it cannot tell. */
const diskFile = 'sda'
/** As a new SSH host makes its key, and then is nothing but its SSH daemon. */
const startScript = `
ssh-keygen -q -t ed25519 -N '' -f /etc/ssh/ssh_host_ed25519_key
mkdir -p /run/sshd
exec /usr/sbin/sshd -D -e -o PermitRootLogin=prohibit-password -o PasswordAuthentication=no
`

/** A stock image: a small Debian with a real SSH daemon. */
export function debianGuest(options: RealNodesOptions): GuestFactory {
  return (machine, world) => start(machine, world, options, 'stock')
}

/** Hetzner's rescue system: the same Debian from the network, with the machine's disk to be written. */
export function realRescueGuest(options: RealNodesOptions): GuestFactory {
  return async (machine, world) => {
    const folder = join(options.folder, 'rescue')
    await mkdir(folder, { recursive: true })
    const disk = join(folder, `${diskFile}-${machine.serverId}`)
    await writeFile(disk, '')
    const guest = await start(machine, world, options, 'rescue', disk)
    return {
      stop: async () => {
        await guest.stop()
        const written = await readFile(disk)
        // Untouched, the disk stays what it was.
        if (written.length === 0) return
        machine.disk.state.clear()
        machine.disk.image = readDisk(written)
      },
    }
  }
}

async function start(
  machine: Machine,
  world: World,
  { bed, folder, network }: RealNodesOptions,
  kind: 'stock' | 'rescue',
  disk?: string,
): Promise<Guest> {
  const { path } = await network.plug(machine)
  const name = `${kind}-${machine.serverId}`
  const container = await Container.start({
    name,
    runc: bed.programs.runc,
    runtimeFolder: join(folder, 'runc'),
    cgroup: cgroupOf(folder),
    folder: join(folder, 'running', name),
    lower: bed.debianRoot,
    console: join(folder, `${machine.name}-${kind}.log`),
    bootId: machine.bootId,
    prepareRoot: (root) => layRootFiles(root, machine),
    system: {
      hostname: kind === 'rescue' ? 'rescue' : machine.name,
      readOnlyRoot: false,
      args: ['/bin/bash', '-ec', startScript],
      environment: {
        PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        HOME: '/root',
      },
      networkNamespace: path,
      volumes: disk === undefined ? [] : [{ source: disk, target: '/dev/sda' }],
      temporary: ['/run', '/tmp'],
    },
    onExit: () => world.background(() => world.shutdown(machine)),
  })
  return {
    stop: async () => {
      await container.stop()
      await network.unplug(machine.serverId)
    },
  }
}

async function layRootFiles(root: string, machine: Machine): Promise<void> {
  const ssh = join(root, 'root/.ssh')
  await mkdir(ssh, { recursive: true })
  await chmod(ssh, 0o700)
  await writeFile(join(ssh, 'authorized_keys'), `${machine.authorizedKeys.join('\n')}\n`, {
    mode: 0o600,
  })
  await writeFile(join(root, 'etc/hostname'), `${machine.name}\n`)
  await writeFile(join(root, 'etc/resolv.conf'), `nameserver ${rigAddresses.internet}\n`)
}
