import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach } from 'vitest'
import type { HostStep } from '../../../src/kubeadm/host/host-check.ts'
import {
  type HostEvidence,
  type HostScriptResult,
  readEvidence,
} from '../../../src/kubeadm/host/host-evidence.ts'
import { renderApply, renderProbe } from '../../../src/kubeadm/host/render-step.ts'
import { stubPrograms } from './stub-programs.ts'

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

/** What the host has in the place of this machine's folders, while a script runs. */
const mounted = ['etc', 'opt', 'run', 'proc/sys', 'sys/module', 'usr/local']

/** In a mount namespace of its own: nothing of it is left when the script has ended. */
const prepare = `
root=$1
shift
mount --make-rprivate /
mount -t cgroup2 none /sys/fs/cgroup
work=$(mktemp -d)
mount -t tmpfs tmpfs "$work"
mkdir "$work/upper" "$work/work"
mount -t overlay overlay -o "lowerdir=/usr/lib,upperdir=$work/upper,workdir=$work/work" /usr/lib
mkdir -p /usr/lib/modules
mount --bind "$root/modules" /usr/lib/modules
for folder in ${mounted.join(' ')}; do mount --bind "$root/$folder" "/$folder"; done
mount --bind "$root/swaps" /proc/swaps
script=$1
shift
exec env -i HOME=/root PATH="$root/bin:/usr/bin:/bin" HOST_STATE="$root/state" bash -c "$script" step "$@"
`

/** A host of files and stand-ins, as bare as one that was just installed, on which scripts have real effects. */
export async function makeHost() {
  const root = await mkdtemp(join(tmpdir(), 'made-up-host-'))
  folders.push(root)
  const put = async (path: string, text: string | Uint8Array) => {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  const read = (path: string) => readFile(join(root, path), 'utf8')
  for (const folder of [...mounted, 'bin', 'modules'])
    await mkdir(join(root, folder), { recursive: true })
  for (const folder of ['packages', 'candidates', 'swap-units', 'enabled', 'started', 'web']) {
    await mkdir(join(root, 'state', folder), { recursive: true })
  }
  for (const file of ['alternatives', 'ld.so.cache', 'passwd', 'group']) {
    if (existsSync(join('/etc', file))) {
      await cp(join('/etc', file), join(root, 'etc', file), {
        recursive: true,
        verbatimSymlinks: true,
      })
    }
  }
  await put('state/candidates/containerd', '1.7.28-1\n')
  await put('etc/os-release', 'ID=debian\nVERSION_ID="12"\nVERSION_CODENAME=bookworm\n')
  await put('etc/machine-id', `${'a'.repeat(32)}\n`)
  await put('etc/fstab', fstab)
  await put('swaps', swaps)
  await put('state/swap-units/dev-sda2.swap', 'loaded\n')
  await put('state/first-boot', '')
  for (const [key, value] of Object.entries(kernelSettings))
    await put(`proc/sys/${key}`, `${value}\n`)
  const { stdout: kernel } = await execute('uname', ['-r'])
  await mkdir(join(root, 'modules', kernel.trim()))
  for (const [name, text] of Object.entries(stubPrograms)) {
    await put(`bin/${name}`, `#!/bin/bash\n${installer}${text}\n`)
    await chmod(join(root, 'bin', name), 0o755)
  }

  const run = (script: string, args: readonly string[]) =>
    execute('unshare', ['--mount', 'bash', '-euc', prepare, 'bash', root, script, ...args])
  const probe = async (step: HostStep) => {
    const result = await run(renderProbe(step), step.args)
    return new Map(
      readEvidence(step, result, { host: 'web-1', at: 0 }).map((one) => [one.check, one]),
    )
  }
  const apply = (step: HostStep) => run(renderApply(step), step.args)
  /** Every file that a script may have changed, but for the logs of the stand-ins. */
  const snapshot = async () => {
    const listed = await execute('bash', [
      '-c',
      'cd "$1" && find etc opt usr proc sys state -type f ! -name apt-log -printf "%p %m %i\\n" -exec sha256sum {} + | sort',
      'bash',
      root,
    ])
    return listed.stdout.split('\n')
  }
  return {
    root,
    put,
    read,
    probe,
    apply,
    snapshot,
    /** When a file was written, in whole seconds since the epoch. */
    writtenAt: async (path: string) => Math.floor((await stat(join(root, path))).mtimeMs / 1_000),
    /** Makes a file look as if it had been written then. */
    age: (path: string, seconds: number) => utimes(join(root, path), seconds, seconds),
    chmod: (path: string) => chmod(join(root, path), 0o755),
    remove: (path: string) => rm(join(root, path), { recursive: true }),
    kernel: kernel.trim(),
  }
}

/** The checks that did not pass, each with its state and what was seen. */
export function notPassed(evidence: ReadonlyMap<string, HostEvidence>): Record<string, string> {
  return Object.fromEntries(
    [...evidence.values()]
      .filter(({ state }) => state !== 'passed')
      .map(({ check, state, seen }) => [check, `${state}: ${seen}`]),
  )
}

/** A public key of OpenPGP that ends after `lifetime`, as a repository publishes it; made at another time where given. */
export async function makeSigningKey(lifetime: string, madeAt?: string): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'signing-key-'))
  const time = madeAt === undefined ? [] : ['--faked-system-time', madeAt]
  const gpg = (...args: string[]) =>
    execute('gpg', ['--homedir', home, '--batch', ...time, ...args])
  await gpg('--passphrase', '', '--quick-generate-key', 'packages', 'ed25519', 'sign', lifetime)
  const { stdout } = await gpg('--armor', '--export')
  await execute('gpgconf', ['--homedir', home, '--kill', 'gpg-agent'])
  await rm(home, { recursive: true, force: true })
  return stdout
}

/** A tar.gz of programs. */
export async function makeArchive(files: Readonly<Record<string, string>>): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'archive-'))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text, { mode: 0o755 })
  }
  const archive = `${folder}.tar.gz`
  await execute('tar', ['-czf', archive, '-C', folder, '.'])
  const content = await readFile(archive)
  await rm(folder, { recursive: true })
  await rm(archive)
  return content
}

/** What a stand-in does that leaves a program or a socket behind. */
const installer = `
set -e
state=$HOST_STATE
install_program() { printf '#!/bin/bash\\n%s\\n' "$2" >"\${0%/*}/$1"; chmod 755 "\${0%/*}/$1"; }
# As dpkg does it: the program is as old as the package, and runs with the config that is there.
install_containerd() {
  install_program containerd "echo containerd github.com/containerd/containerd v$1 0123"
  touch -d 2026-01-01 "\${0%/*}/containerd"
  touch "$state/enabled/containerd"
  date +%s >"$state/started/containerd"
  restarted containerd
}
restarted() {
  [ "$1" = containerd ] || return 0
  mkdir -p /run/containerd
  [ -S /run/containerd/containerd.sock ] || python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("/run/containerd/containerd.sock")'
}
`

export const fstab = `# /etc/fstab: the word swap in a comment
UUID=1 / ext4 errors=remount-ro 0 1
/dev/sda2 none swap sw 0 0
/dev/sdb1 /srv/swap-files ext4 defaults 0 2
  /swapfile\tnone\tswap\tdefaults 0 0
`
export const swaps = 'Filename Type Size Used Priority\n/dev/sda2 partition 1 0 -2\n'

const kernelSettings = {
  'net/ipv4/ip_forward': 0,
  'net/bridge/bridge-nf-call-iptables': 1,
  'net/bridge/bridge-nf-call-ip6tables': 1,
  'fs/inotify/max_user_instances': 128,
  'fs/inotify/max_user_watches': 65_536,
  'vm/overcommit_memory': 0,
  'kernel/panic': 0,
}

function execute(program: string, args: readonly string[]): Promise<HostScriptResult> {
  return new Promise((resolve) => {
    execFile(program, args, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 255
      resolve({ code, stdout, stderr })
    })
  })
}
