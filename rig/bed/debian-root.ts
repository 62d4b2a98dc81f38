import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeArtefact } from './make-artefact.ts'
import { runTethered } from './run-tethered.ts'
import type { Workshop } from './workshop.ts'

const suite = 'bookworm'

/** What Hetzner's stock and rescue systems have, of what somebody who comes by SSH may use. */
const packages = [
  'ca-certificates',
  'curl',
  'e2fsprogs',
  'fdisk',
  'gdisk',
  'iproute2',
  'iputils-ping',
  'kmod',
  'less',
  'nano',
  'netbase',
  'nftables',
  'openssh-server',
  'parted',
  'procps',
  'wget',
  'xz-utils',
  'zstd',
]

/** The root of a small Debian, made by debootstrap out of the unpacked packages; not yet a host of its own. */
export function makeDebianRoot(workshop: Workshop, debianPackages: string): Promise<string> {
  return makeDebianTree(workshop, debianPackages, { name: 'debian-root', packages })
}

export interface DebianTree {
  readonly name: string
  /** What is installed besides the smallest system that there is. */
  readonly packages: readonly string[]
}

/** The root of a Debian with these packages. */
export async function makeDebianTree(
  workshop: Workshop,
  debianPackages: string,
  { name, packages: wanted }: DebianTree,
): Promise<string> {
  return makeArtefact(workshop, {
    name,
    inputs: { format: 1, suite, packages: wanted },
    make: async (draft) => {
      workshop.report(`${name}: installing ${suite} with ${wanted.length} packages`)
      await bootstrap(workshop, join(debianPackages, 'tree'), draft, wanted)
      await stripHost(draft)
    },
  })
}

async function bootstrap(
  workshop: Workshop,
  tree: string,
  draft: string,
  wanted: readonly string[],
): Promise<void> {
  const program = join(tree, 'usr/sbin/debootstrap')
  const keyring = join(tree, 'usr/share/keyrings/debian-archive-keyring.gpg')
  const options = [
    '--variant=minbase',
    `--include=${wanted.join(',')}`,
    `--keyring=${keyring}`,
    '--force-check-gpg',
  ]
  await runTethered({
    command: [program, ...options, suite, draft],
    path: `${workshop.path}:/usr/sbin:/sbin`,
    signal: workshop.signal,
    environment: {
      DEBOOTSTRAP_DIR: join(tree, 'usr/share/debootstrap'),
      DEBIAN_FRONTEND: 'noninteractive',
    },
  })
}

/** Takes away what would make all hosts the same one, and what only an installation needs. */
async function stripHost(root: string): Promise<void> {
  const ssh = join(root, 'etc/ssh')
  for (const name of await readdir(ssh)) {
    if (name.startsWith('ssh_host_')) await rm(join(ssh, name))
  }
  await writeFile(join(root, 'etc/machine-id'), '')
  await writeFile(join(root, 'etc/hostname'), '')
  await rm(join(root, 'etc/resolv.conf'), { force: true })
  await writeFile(join(root, 'etc/resolv.conf'), '')
  for (const folder of ['var/cache/apt/archives', 'var/lib/apt/lists']) {
    await rm(join(root, folder), { recursive: true, force: true })
    await mkdir(join(root, folder, 'partial'), { recursive: true })
  }
  await mkdir(join(root, 'run/sshd'), { recursive: true })
  await chmod(root, 0o755)
}
