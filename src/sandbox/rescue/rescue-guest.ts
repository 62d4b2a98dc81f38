import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ssh2 from 'ssh2'
import type { Guest, GuestFactory, Machine } from '../machine.ts'
import type { World } from '../world.ts'
import { authenticate } from './authenticate.ts'
import { RescueDisk } from './rescue-disk.ts'
import { serveSessions } from './serve-sessions.ts'
import { installTools, rescueTools } from './tools/install-tools.ts'
import type { ToolHost } from './tools/tool.ts'
import { serveTools } from './tools/tool-server.ts'

export interface RescueOptions {
  /** Where SSH listens on each machine's own address; 22 where absent. */
  readonly port?: number
}

/**
 * Hetzner's rescue system: SSH on the machine's own address, for root with the keys that were given
 * to enable_rescue. It runs commands in a real bash whose tools for network, disk and power are the
 * sandbox's. What was written to the disk is judged when the machine goes off.
 */
export function rescueGuest({ port = 22 }: RescueOptions = {}): GuestFactory {
  return async (machine, world) => {
    const folder = await mkdtemp(join(tmpdir(), 'rescue-'))
    const home = { folder, tools: join(folder, 'bin') }
    const socketPath = join(folder, 'tools.sock')
    const disk = new RescueDisk(machine)
    const host: ToolHost = { world, machine, disk, power: 'stay' }
    await mkdir(join(folder, 'tmp'))
    await installTools(home.tools, socketPath)
    const tools = await serveTools(socketPath, rescueTools, host)
    const ssh = listen(machine, world, port, (hostKey, socket) => {
      const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
        client.on('error', () => {})
        client.on('authentication', authenticate(machine.authorizedKeys))
        serveSessions(client, { host, home, cut: () => socket.destroy() })
      })
      server.injectSocket(socket)
    })
    await ssh.up
    return {
      stop: async () => {
        disk.commit()
        await ssh.stop()
        await tools.close()
        await rm(folder, { recursive: true, force: true })
      },
    }
  }
}

/** Takes connections once SSH is up, and gives each to an SSH server with the key of this boot. */
function listen(
  machine: Machine,
  world: World,
  port: number,
  serve: (hostKey: string, socket: Socket) => void,
): Guest & { readonly up: Promise<void> } {
  const sockets = new Set<Socket>()
  const hostKey = newHostKey()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    if (world.log.isCut || !world.admits(machine, 'tcp', port, socket.remoteAddress ?? '')) {
      return void socket.destroy()
    }
    serve(world.faults.sshHostKeyChanges ? newHostKey() : hostKey, socket)
  })
  world.log.onCut(() => {
    for (const socket of sockets) socket.destroy()
  })
  const starting = new AbortController()
  const started = start()
  return {
    // With a delay the machine counts as on before SSH answers, as a real one does.
    up: world.faults.sshDelayMs > 0 ? Promise.resolve() : started,
    stop: async () => {
      starting.abort()
      await started
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }

  async function start(): Promise<void> {
    const { publicIp } = machine
    if (publicIp === undefined) return
    try {
      if (world.faults.sshDelayMs > 0) {
        await world.clock.sleep(world.faults.sshDelayMs, starting.signal)
      }
    } catch {
      return
    }
    await new Promise<void>((resolve) => {
      server.once('error', (error) => {
        world.contractErrors.push(
          `rescue: SSH cannot listen on ${publicIp}:${port}: ${error.message}`,
        )
        resolve()
      })
      server.listen(port, publicIp, resolve)
    })
  }
}

/** One in some 270 Ed25519 keys that ssh2 1.17 makes is one that it cannot read. */
function newHostKey(): string {
  for (;;) {
    const key = ssh2.utils.generateKeyPairSync('ed25519').private
    if (!(ssh2.utils.parseKey(key) instanceof Error)) return key
  }
}
