import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { blkdiscard, dd, lsblk } from './disk-tools.ts'
import { curl, wget } from './fetch-tools.ts'
import { poweroff, reboot, shutdown } from './power-tools.ts'
import { relayScript } from './relay-script.ts'
import type { Tool } from './tool.ts'
import { unpackTool } from './unpack-tools.ts'

/** The tools of the rescue system that touch the network, the disk or the power. */
export const rescueTools: Readonly<Record<string, Tool>> = {
  blkdiscard,
  curl,
  dd,
  halt: poweroff,
  lsblk,
  poweroff,
  reboot,
  shutdown,
  unxz: unpackTool('unxz', 'xz', true),
  unzstd: unpackTool('unzstd', 'zst', true),
  wget,
  xz: unpackTool('xz', 'xz', false),
  xzcat: unpackTool('xzcat', 'xz', true),
  zstd: unpackTool('zstd', 'zst', false),
  zstdcat: unpackTool('zstdcat', 'zst', true),
}

/** Nothing to do for these in a machine whose disk is made of memory. */
const idle = ['blockdev', 'hdparm', 'partprobe', 'sync', 'udevadm']

/** What would reach the real machine under the sandbox: never run, whatever the command says. */
const forbidden = [
  'cfdisk',
  'chroot',
  'fdisk',
  'init',
  'kexec',
  'losetup',
  'mkfs',
  'mkfs.ext4',
  'mkfs.xfs',
  'mkswap',
  'mount',
  'nvme',
  'parted',
  'sfdisk',
  'sgdisk',
  'systemctl',
  'umount',
  'wipefs',
]

/** Writes the tools into `folder`; those that do something call the sandbox at `socketPath`. */
export async function installTools(folder: string, socketPath: string): Promise<void> {
  const relay = join(folder, '.relay.cjs')
  await mkdir(folder, { recursive: true })
  await writeFile(relay, relayScript)
  const call = (name: string) =>
    `exec ${quote(process.execPath)} ${quote(relay)} ${quote(socketPath)} ${name} "$@"`
  await Promise.all([
    ...Object.keys(rescueTools).map((name) => install(name, call(name))),
    ...idle.map((name) => install(name, 'exit 0')),
    ...forbidden.map((name) =>
      install(name, `echo "${name}: not in this rescue system" >&2\nexit 127`),
    ),
  ])

  function install(name: string, text: string): Promise<void> {
    return writeFile(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  }
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
