import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { boundFolders } from './host-folder.ts'
import { hostMount } from './programs/program-file.ts'

const overlay = `${hostMount}/overlay`

/** What the first process mounts, in the format of fstab. Alternatives of this machine are what its programs are found by. */
const mounts = [
  'none /sys/fs/cgroup cgroup2 defaults',
  `overlay /usr/lib overlay lowerdir=/usr/lib,upperdir=${overlay}/upper,workdir=${overlay}/work`,
  `${hostMount}/modules /usr/lib/modules none bind`,
  `${hostMount}/swaps /proc/swaps none bind`,
  ...(existsSync('/etc/alternatives')
    ? [`/etc/alternatives ${hostMount}/etc/alternatives none bind`]
    : []),
  ...boundFolders.map((folder) => `${hostMount}/${folder} /${folder} none rbind`),
]

/**
 * The first process of a host: mounts the host's folders over this machine's, in namespaces of its own, and ends with its
 * standard input. Everything on the host ends with it, and no mount of it is left.
 */
const firstProcess = `
root=$1 name=$2
read -r pid _ </proc/self/stat
mount -t proc proc /proc
echo "$name" >/proc/sys/kernel/hostname
mount --bind "$root" ${hostMount}
mount -t tmpfs tmpfs ${overlay}
mkdir -p ${overlay}/upper/modules ${overlay}/work
mount --all --fstab ${hostMount}/mounts
echo "ready $pid"
read -r _ || true
`

/** Root of this machine has the namespaces for the asking; anybody else is root in one of users. */
const isRoot = userInfo().uid === 0
const unshareFlags = [
  ...(isRoot ? [] : ['--user', '--map-root-user', '--cgroup']),
  '--mount',
  '--uts',
  '--pid',
  '--fork',
  '--kill-child',
]
const enterFlags = [
  ...(isRoot ? [] : ['--user', '--preserve-credentials', '--cgroup']),
  '--mount',
  '--uts',
  '--pid',
]

/** A user without rights, as far as the host goes. */
const nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--']

/** The namespaces of a host that is on. */
export class HostSpace {
  readonly #first: ChildProcess
  readonly #pid: string

  private constructor(first: ChildProcess, pid: string) {
    this.#first = first
    this.#pid = pid
  }

  /** Rejects where this machine allows no such namespaces. */
  static async open(root: string, name: string): Promise<HostSpace> {
    await writeFile(join(root, 'mounts'), `${mounts.join('\n')}\n`)
    const args = [...unshareFlags, 'bash', '-euc', firstProcess, 'bash', root, name]
    const first = spawn('unshare', args, { stdio: ['pipe', 'pipe', 'pipe'] })
    let errors = ''
    first.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString('utf8')
    })
    const ready = once(first.stdout, 'data')
    const ended = once(first, 'close').then(() => {
      throw new Error(`the host ${name} cannot be started: ${errors.trim()}`)
    })
    ended.catch(() => {})
    const [line] = await Promise.race([ready, ended])
    const [, pid] = /^ready (\d+)$/m.exec(String(line)) ?? []
    if (pid === undefined) throw new Error(`the host ${name} printed ${line}`)
    return new HostSpace(first, pid)
  }

  /** Starts a program on the host, in a process group of its own. */
  spawn(command: readonly string[], { isRoot: asRoot = true } = {}): ChildProcess {
    const args = ['--target', this.#pid, ...enterFlags, '--', ...(asRoot ? [] : nobody), ...command]
    return spawn('nsenter', args, {
      cwd: '/',
      detached: true,
      env: {
        HOME: '/root',
        PATH: `${hostMount}/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
  }

  /** As a power cut does it. */
  async close(): Promise<void> {
    if (this.#first.exitCode !== null || this.#first.signalCode !== null) return
    const ended = once(this.#first, 'exit')
    this.#first.kill('SIGKILL')
    await ended
  }
}
