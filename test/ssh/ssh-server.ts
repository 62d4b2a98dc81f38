import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import ssh2 from 'ssh2'
import { afterEach } from 'vitest'
import { createClock } from '../../src/lib/clock.ts'
import { Redactor } from '../../src/lib/redactor.ts'
import { HostKeyPin } from '../../src/ssh/host-key.ts'
import type { SshHost } from '../../src/ssh/ssh-host.ts'
import { createSshKeyPair } from '../../src/ssh/ssh-key-pair.ts'
import { SshPool, type SshPoolOptions } from '../../src/ssh/ssh-pool.ts'

/** What a server does with the n-th connection, the first being 1. */
export type Reception = 'serve' | 'hang up' | 'reject logins' | 'open nothing'

/** What becomes of the connection while the n-th command runs: `cut` at the first output after the script was sent. */
export type Course = 'run' | 'cut before the script' | 'cut at first output'

export interface ServerOptions {
  readonly receive?: (connection: number) => Reception
  readonly course?: (command: number) => Course
  /** Printed by the login shell before it runs the command. */
  readonly noise?: string
  /** Runs instead of the command, as a login shell that takes none. */
  readonly shell?: string
  /** Streams to other hosts: rejected where absent. */
  readonly forwards?: 'never'
  /** Answers every command with this on standard error and exit code 1, all in one piece. */
  readonly refusal?: string
}

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** An SSH server of ssh2 that runs commands in a real bash, and what a client needs in order to use it. */
export async function startServer(options: ServerOptions = {}) {
  const { receive = () => 'serve', course = () => 'run' } = options
  const key = await createSshKeyPair('client')
  const hostKey = await createSshKeyPair('host')
  const sockets = new Set<Socket>()
  const commands: string[] = []
  let connections = 0
  const listener = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    const reception = receive(++connections)
    if (reception === 'hang up') return void socket.destroy()
    const server = new ssh2.Server({ hostKeys: [hostKey.privateKey] }, (client) => {
      client.on('error', () => {})
      client.on('authentication', (context) =>
        context.method === 'publickey' && reception !== 'reject logins'
          ? context.accept()
          : context.reject(['publickey']),
      )
      if (options.forwards === 'never') client.on('tcpip', () => {})
      client.on('session', (accept) => {
        if (reception === 'open nothing') return
        accept().on('exec', (acceptExec, _reject, { command }) => {
          commands.push(command)
          if (options.refusal !== undefined) {
            socket.cork()
            const channel = acceptExec()
            channel.stderr.write(options.refusal)
            channel.exit(1)
            channel.end()
            return void setImmediate(() => socket.uncork())
          }
          runIn(acceptExec(), command, socket, course(commands.length), options)
        })
      })
    })
    server.injectSocket(socket)
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  /** It answers nothing any more, and does not hang up either. */
  const freeze = () => {
    for (const socket of sockets) socket.pause()
  }
  closing.push(async () => {
    cut()
    await new Promise((done) => listener.close(done))
  })
  const host: SshHost = {
    name: 'web-1',
    address: '127.0.0.1',
    port: (listener.address() as AddressInfo).port,
    user: 'root',
    login: { privateKey: key.privateKey },
    hostKey: HostKeyPin.of(hostKey.publicKey),
  }
  return { host, hostKey, commands, cut, freeze, connections: () => connections }
}

function runIn(
  channel: ssh2.ServerChannel,
  command: string,
  socket: Socket,
  course: Course,
  { noise, shell }: ServerOptions,
): void {
  if (course === 'cut before the script') return void socket.destroy()
  if (noise !== undefined) channel.write(noise)
  const child = spawn('/bin/bash', ['-c', shell ?? command], { detached: true })
  channel.pipe(child.stdin)
  child.stdin.on('error', () => {})
  let isSent = false
  channel.once('data', () => {
    isSent = true
  })
  child.stdout.on('data', (chunk: Buffer) => {
    if (isSent && course === 'cut at first output') return void socket.destroy()
    channel.write(chunk)
  })
  child.stderr.on('data', (chunk: Buffer) => channel.stderr.write(chunk))
  child.on('close', (code, signal) => {
    if (signal !== null) channel.exit(signal.replace(/^SIG/, ''), false, '')
    else channel.exit(code ?? 255)
    channel.end()
  })
}

/** The hosts of a run that tries once, where a test asks for nothing else. */
export function startPool(partial: Partial<SshPoolOptions> = {}): SshPool {
  const pool = new SshPool({
    clock: createClock(50),
    redactor: new Redactor(),
    signal: new AbortController().signal,
    connectWithinMs: 0,
    ...partial,
  })
  closing.push(() => pool[Symbol.asyncDispose]())
  return pool
}
