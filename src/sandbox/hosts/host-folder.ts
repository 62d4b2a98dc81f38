import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { release, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { installedPrograms, packagedPrograms } from './programs/program-file.ts'

/** What a host has in the place of this machine's folders. */
export const boundFolders: readonly string[] = [
  'etc',
  'opt',
  'run',
  'root',
  'proc/sys',
  'proc/driver',
  'sys/module',
  'usr/local',
  'var/lib',
  'tmp',
]

/** A swap partition, a file of swap, and lines that only have the word. */
export const bareFstab = `# /etc/fstab: the word swap in a comment
UUID=1 / ext4 errors=remount-ro 0 1
/dev/sda2 none swap sw 0 0
/dev/sdb1 /srv/swap-files ext4 defaults 0 2
  /swapfile\tnone\tswap\tdefaults 0 0
`
export const bareSwaps = 'Filename Type Size Used Priority\n/dev/sda2 partition 1 0 -2\n'

/** As a kernel has them that nobody has set up. */
const kernelSettings = {
  'net/ipv4/ip_forward': 0,
  'net/bridge/bridge-nf-call-iptables': 1,
  'net/bridge/bridge-nf-call-ip6tables': 1,
  'fs/inotify/max_user_instances': 128,
  'fs/inotify/max_user_watches': 65_536,
  'vm/overcommit_memory': 0,
  'kernel/panic': 0,
}

/** The files of one host, below a folder of its own. */
export interface HostFolder {
  readonly root: string
  /** `path` is the host's, without its first slash. */
  put(path: string, content: string | Uint8Array, mode?: number): Promise<void>
  read(path: string): Promise<string>
  /** Undefined where there is no such file. */
  find(path: string): Promise<string | undefined>
  has(path: string): boolean
  remove(path: string): Promise<void>
}

export function hostFolder(root: string): HostFolder {
  const read = (path: string) => readFile(join(root, path), 'utf8')
  return {
    root,
    read,
    put: async (path, content, mode = 0o644) => {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), content, { mode })
    },
    find: (path) => read(path).catch(() => undefined),
    has: (path) => existsSync(join(root, path)),
    remove: (path) => rm(join(root, path), { recursive: true, force: true }),
  }
}

/** A host as bare as one that was just installed: with swap, without packages, and cloud-init still at work. */
export async function makeHostFolder(machineId: string): Promise<HostFolder> {
  const folder = hostFolder(await mkdtemp(join(tmpdir(), 'sim-host-')))
  const { root, put } = folder
  const state = ['packages', 'candidates', 'swap-units', 'enabled', 'started', 'units', 'web']
  const folders = [...boundFolders, 'bin', 'programs', 'overlay', `modules/${release()}`]
  const all = [...folders, 'etc/alternatives', ...state.map((name) => `state/${name}`)]
  await Promise.all(all.map((each) => mkdir(join(root, each), { recursive: true })))
  const copied = ['ld.so.cache', 'passwd', 'group', 'nsswitch.conf']
  const there = copied.filter((file) => existsSync(join('/etc', file)))
  await Promise.all(there.map((file) => cp(join('/etc', file), join(root, 'etc', file))))
  const files: Readonly<Record<string, string>> = {
    'state/candidates/containerd': '1.7.28-1\n',
    'etc/os-release': 'ID=debian\nVERSION_ID="12"\nVERSION_CODENAME=bookworm\n',
    'etc/machine-id': `${machineId}\n`,
    'etc/fstab': bareFstab,
    swaps: bareSwaps,
    'state/swap-units/dev-sda2.swap': 'loaded\n',
    'state/first-boot': '',
  }
  await Promise.all([
    ...Object.entries(files).map(([path, text]) => put(path, text)),
    setKernel(folder),
    ...[...installedPrograms()].map(([name, text]) => put(`bin/${name}`, text, 0o755)),
    ...[...packagedPrograms()].map(([name, text]) => put(`programs/${name}`, text, 0o755)),
  ])
  return folder
}

/** The settings of a kernel that has just started. */
export async function setKernel({ put }: HostFolder): Promise<void> {
  const settings = Object.entries(kernelSettings)
  await Promise.all(settings.map(([key, value]) => put(`proc/sys/${key}`, `${value}\n`)))
}
