import { connect, type Socket } from 'node:net'
import type { Connection, ServerChannel } from 'ssh2'
import type { Cut } from './host-faults.ts'
import type { SimHost } from './sim-host.ts'

export interface HostSessions {
  readonly user: string
  /** Where an address that hosts know leads to on this machine; undefined where they know no such address. */
  readonly route: (address: string) => string | undefined
}

/**
 * Serves one connection: commands, and streams to other hosts. As with a real server, nothing that runs on the host ends
 * with its connection.
 */
export function serveHostSessions(
  client: Connection,
  host: SimHost,
  socket: Socket,
  { user, route }: HostSessions,
): void {
  client.on('session', (accept) => {
    accept().on('exec', (acceptExec, _reject, { command }) => {
      const channel = acceptExec()
      host.world.background(() => runCommand(channel, command, { host, socket, user }))
    })
  })
  client.on('tcpip', (accept, reject, { destIP, destPort }) => {
    const address = route(destIP)
    if (address === undefined) return reject()
    const target = connect(destPort, address)
    target.once('connect', () => {
      const channel = accept()
      target.off('error', reject)
      target.on('error', () => channel.destroy())
      channel.on('error', () => target.destroy()).on('close', () => target.destroy())
      target.on('close', () => channel.destroy())
      channel.pipe(target).pipe(channel)
    })
    target.once('error', reject)
  })
}

interface Place {
  readonly host: SimHost
  readonly socket: Socket
  readonly user: string
}

async function runCommand(
  channel: ServerChannel,
  command: string,
  { host, socket, user }: Place,
): Promise<void> {
  const { world, faults } = host
  const pass = world.enter('hosts', 'EXEC', `/${host.name}`, true)
  const cut = faults.cuts.shift()
  if (pass.dropped || cut === 'before the script' || !host.isOn()) {
    return void socket.destroy()
  }
  // What sudo starts has rights; it is the stand-in of sudo that decides whether it starts anything.
  const isRoot = user === 'root' || /^(?:exec )?sudo /.test(command)
  const child = host.spawn(['bash', '-c', command], { isRoot })
  const { stdin, stdout, stderr } = child
  if (!stdin || !stdout || !stderr) throw new Error('a command without streams')
  channel.on('error', () => {})
  stdin.on('error', () => {})
  channel.pipe(stdin)
  const mayPass = cutAtFirstOutput(channel, socket, cut)
  stdout.on('data', (chunk: Buffer) => {
    if (mayPass()) channel.write(chunk)
  })
  stderr.on('data', (chunk: Buffer) => channel.stderr.write(chunk))
  const ended = await new Promise<{ code: number | null; signal: NodeJS.Signals | null }>(
    (resolve) => {
      child.once('error', () => resolve({ code: 255, signal: null }))
      child.once('close', (code, signal) => resolve({ code, signal }))
    },
  )
  await host.changed()
  if (!(await pass.leave()) || !host.isOn()) return void socket.destroy()
  if (ended.signal !== null) channel.exit(ended.signal.replace(/^SIG/, ''), false, '')
  else channel.exit(ended.code ?? 255)
  channel.end()
  // What still comes in has no reader any more, and must not hold the channel open.
  channel.unpipe(stdin).resume()
}

/** Says of each piece of output whether it gets through. */
function cutAtFirstOutput(channel: ServerChannel, socket: Socket, cut?: Cut): () => boolean {
  let isSent = false
  channel.once('data', () => {
    isSent = true
  })
  return () => {
    const isCut = isSent && cut === 'at first output'
    if (isCut) socket.destroy()
    return !isCut
  }
}
