import type { ChildProcess } from 'node:child_process'
import type { Connection, ServerChannel, Session } from 'ssh2'
import { endGroup, isDangerous, type RescueHome, runCommand } from './run-command.ts'
import type { ToolHost } from './tools/tool.ts'

export interface SessionContext {
  readonly host: ToolHost
  readonly home: RescueHome
  /** Cuts the connection, as a broken network does. */
  readonly cut: () => void
}

/** Serves the sessions of one connection: commands and login shells, with signals. */
export function serveSessions(client: Connection, context: SessionContext): void {
  const running = new Set<ChildProcess>()
  const gone = new Promise<void>((resolve) => {
    client.on('close', () => {
      for (const child of running) endGroup(child, 'SIGKILL')
      resolve()
    })
  })
  client.on('ready', () => {
    client.on('session', (accept) => serveSession(accept(), context, running, gone))
  })
}

function serveSession(
  session: Session,
  context: SessionContext,
  running: Set<ChildProcess>,
  gone: Promise<void>,
): void {
  const children: ChildProcess[] = []
  session.on('pty', (accept) => accept?.())
  session.on('env', (accept) => accept?.())
  session.on('signal', (accept, _reject, info) => {
    accept?.()
    for (const child of children) endGroup(child, `SIG${info.name}` as NodeJS.Signals)
  })
  session.on('exec', (accept, _reject, { command }) => start(accept(), command))
  session.on('shell', (accept) => start(accept(), undefined))

  function start(channel: ServerChannel, command: string | undefined): void {
    const { world } = context.host
    world.background(async () => {
      const pass = world.enter('rescue', 'EXEC', command ?? 'shell', true)
      if (pass.dropped) return context.cut()
      if (command !== undefined && isDangerous(command)) return refuse(channel, command, context)
      const { child, ended } = runCommand(channel, command, context.home, gone)
      children.push(child)
      running.add(child)
      watchInput(channel, child, context)
      if (world.faults.takeSshDrop()) cutInTheMiddle(channel, child, context)
      await new Promise<void>((resolve) => child.once('close', () => resolve()))
      running.delete(child)
      if (!(await pass.leave())) return context.cut()
      await ended
      changePower(context)
    })
  }
}

/** Cuts the connection at the first output, or the end, after the command was given some input. */
function cutInTheMiddle(
  channel: ServerChannel,
  child: ChildProcess,
  { cut }: SessionContext,
): void {
  channel.once('data', () => child.stdout?.once('data', cut).once('end', cut))
}

/** A script that comes by standard input is looked at like one that comes as a command. */
function watchInput(channel: ServerChannel, child: ChildProcess, context: SessionContext): void {
  channel.on('data', (chunk: Buffer) => {
    if (!isDangerous(chunk.toString('latin1'))) return
    context.host.world.contractErrors.push('rescue: a script writes onto a device by redirection')
    endGroup(child, 'SIGKILL')
  })
}

function refuse(channel: ServerChannel, command: string, { host }: SessionContext): void {
  host.world.contractErrors.push(`rescue: refused ${command}`)
  channel.stderr.write('the sandbox does not write onto devices by redirection\n')
  channel.exit(126)
  channel.end()
  channel.resume()
}

/** Does what `shutdown` or `reboot` asked for, after the command was answered. */
function changePower({ host }: SessionContext): void {
  const { world, machine, power } = host
  host.power = 'stay'
  if (power === 'off') world.background(() => world.shutdown(machine))
  if (power === 'reboot') world.background(() => world.reboot(machine))
}
