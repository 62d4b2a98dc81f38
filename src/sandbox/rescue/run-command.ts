import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { ServerChannel } from 'ssh2'

/** The private folder of one rescue system: its tools, its home, its temporary files. */
export interface RescueHome {
  readonly folder: string
  readonly tools: string
}

/** Redirecting onto a device would reach the real machine under the sandbox. */
const writesDevice = /(>|>\||tee\s+(-a\s+)?)\s*["']?\/dev\/(sd|vd|hd|xvd|nvme|disk|mapper)/

export function isDangerous(text: string): boolean {
  return writesDevice.test(text)
}

/**
 * Runs a command in a real bash, in a process group of its own, over an SSH channel. Resolves when it
 * has ended and the client was told how, or is `gone`. `command` undefined is a login shell that reads its input.
 */
export function runCommand(
  channel: ServerChannel,
  command: string | undefined,
  home: RescueHome,
  gone: Promise<void>,
): { readonly child: ChildProcess; readonly ended: Promise<void> } {
  const child = spawn('/bin/bash', command === undefined ? ['-s'] : ['-c', command], {
    cwd: home.folder,
    detached: true,
    env: {
      HOME: home.folder,
      LANG: 'C.UTF-8',
      LOGNAME: 'root',
      PATH: `${home.tools}:/usr/bin:/bin`,
      SHELL: '/bin/bash',
      TMPDIR: join(home.folder, 'tmp'),
      USER: 'root',
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  channel.pipe(child.stdin)
  child.stdin.on('error', () => {})
  child.stdout.pipe(channel, { end: false })
  child.stderr.pipe(channel.stderr, { end: false })
  channel.on('close', () => {
    endGroup(child, 'SIGHUP')
    // Nobody reads on, and a process that cannot get rid of its output never ends.
    child.stdout.unpipe(channel).resume()
    child.stderr.unpipe(channel.stderr).resume()
  })
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('close', (code, signal) => {
      if (signal !== null) channel.exit(signal.replace(/^SIG/, ''), false, '')
      else channel.exit(code ?? 255)
      channel.once('close', () => resolve())
      channel.end()
      // What still comes in has no reader any more, and must not hold the channel open.
      channel.unpipe(child.stdin).resume()
      void gone.then(resolve)
    })
  })
  return { child, ended }
}

/** Ends a command with everything that it started. */
export function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch {
    // The group has ended by itself.
  }
}
