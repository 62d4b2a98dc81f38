import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach } from 'vitest'
import { createClock } from '../../../src/lib/clock.ts'
import { Redactor } from '../../../src/lib/redactor.ts'
import { HostKeyPin } from '../../../src/ssh/host-key.ts'
import type { SshHost } from '../../../src/ssh/ssh-host.ts'
import { SshPool, type SshPoolOptions } from '../../../src/ssh/ssh-pool.ts'

export const run = promisify(execFile)

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

export function afterTest(close: () => Promise<unknown>): void {
  closing.push(close)
}

/** Readable for every user, since a server reads authorized keys as the user who logs in. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'openssh-'))
  await chmod(folder, 0o755)
  afterTest(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bound = server.address()
  server.close()
  if (bound === null || typeof bound === 'string') throw new Error('there is no port')
  return bound.port
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'data')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

export async function makeKey(file: string, type = 'ed25519', passphrase = ''): Promise<void> {
  await run('ssh-keygen', ['-q', '-t', type, '-N', passphrase, '-f', file])
}

export interface SshdOptions {
  readonly hostKeyTypes?: readonly string[]
  /** More lines of its configuration. */
  readonly settings?: Readonly<Record<string, string | number>>
  /** Shell commands that prepare a mount namespace of its own for it. */
  readonly prepare?: string
  readonly user?: string
}

/** OpenSSH's server on loopback with keys of its own, and what a client needs to be let in. */
export async function startSshd(options: SshdOptions = {}) {
  const { hostKeyTypes = ['ed25519'], settings = {}, prepare, user = userInfo().username } = options
  const folder = await makeFolder()
  const hostKey = (type: string) => join(folder, `host-${type}`)
  for (const type of hostKeyTypes) await makeKey(hostKey(type), type)
  const key = join(folder, 'user')
  await makeKey(key)
  const port = await freePort()
  const lines = Object.entries({
    Port: port,
    ListenAddress: '127.0.0.1',
    AuthorizedKeysFile: join(folder, 'authorized_keys'),
    PidFile: 'none',
    StrictModes: 'no',
    UsePAM: 'no',
    PasswordAuthentication: 'no',
    ...settings,
  }).map(([name, value]) => `${name} ${value}\n`)
  const config = join(folder, 'sshd_config')
  const keys = hostKeyTypes.map((type) => `HostKey ${hostKey(type)}\n`)
  await writeFile(config, [...lines, ...keys].join(''))
  await writeFile(join(folder, 'authorized_keys'), await readFile(`${key}.pub`))
  // A server that runs as root wants an empty folder to lock itself into.
  if (userInfo().uid === 0) await mkdir('/run/sshd', { recursive: true })
  const listener = await listen(config, prepare)
  const stop = () => endServer(listener)
  afterTest(stop)
  while (!(await answers(port))) await sleep(50)
  const host: SshHost = {
    name: 'web-1',
    address: '127.0.0.1',
    port,
    user,
    login: { privateKey: await readFile(key, 'utf8') },
    hostKey: HostKeyPin.of(await readFile(`${hostKey(hostKeyTypes[0] ?? '')}.pub`, 'utf8')),
  }
  const cut = () => signalChildren(listener.pid, 'SIGKILL')
  const freeze = () => signalChildren(listener.pid, 'SIGSTOP')
  return { folder, key, hostKey, host, cut, freeze, stop }
}

async function listen(config: string, prepare: string | undefined): Promise<ChildProcess> {
  const sshd = ['/usr/sbin/sshd', '-D', '-e', '-f', config]
  const [program = '', ...args] =
    prepare === undefined
      ? sshd
      : ['unshare', '--mount', 'bash', '-euc', `${prepare}\nexec "$@"`, 'bash', ...sshd]
  const child = spawn(program, args, { stdio: 'ignore' })
  await once(child, 'spawn')
  return child
}

async function endServer(listener: ChildProcess): Promise<void> {
  if (listener.exitCode !== null || listener.signalCode !== null) return
  const ended = once(listener, 'exit')
  signalChildren(listener.pid, 'SIGKILL')
  listener.kill('SIGKILL')
  await ended
}

/** Signals the processes that serve connections, and nothing that was started over these. */
function signalChildren(parent: number | undefined, signal: NodeJS.Signals): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const stat = `/proc/${pid}/stat`
    try {
      const [, name, , ppid] = /^\d+ \((.*)\) (\S) (\d+)/.exec(readFileSync(stat, 'utf8')) ?? []
      if (name?.startsWith('sshd') && Number(ppid) === parent) process.kill(Number(pid), signal)
    } catch (error) {
      // It has ended meanwhile.
      if (existsSync(stat)) throw error
    }
  }
}

/** The hosts of a run that tries once, where a test asks for nothing else. */
export function startPool(partial: Partial<SshPoolOptions> = {}): SshPool {
  const pool = new SshPool({
    clock: createClock(),
    redactor: new Redactor(),
    signal: new AbortController().signal,
    connectWithinMs: 0,
    ...partial,
  })
  afterTest(() => pool[Symbol.asyncDispose]())
  return pool
}
