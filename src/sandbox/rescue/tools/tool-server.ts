import { createServer, type Server, type Socket } from 'node:net'
import type { Tool, ToolHost } from './tool.ts'

/** Runs the tools that relays ask for, in this process, over a Unix socket at `path`. */
export async function serveTools(
  path: string,
  tools: Readonly<Record<string, Tool>>,
  host: ToolHost,
): Promise<{ close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
    host.world.background(() => serveOne(socket, tools, host))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(path, resolve)
  })
  return {
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

async function serveOne(
  socket: Socket,
  tools: Readonly<Record<string, Tool>>,
  host: ToolHost,
): Promise<void> {
  const { line, input } = await readRequest(socket)
  if (line === undefined) return
  const { tool, args, cwd } = JSON.parse(line)
  const run = tools[tool]
  if (run === undefined) return void socket.destroy()
  const code = await run({
    host,
    args,
    cwd,
    readInput: () => {
      socket.write(frame(4, ''))
      return input()
    },
    out: (bytes) => void socket.write(frame(1, bytes)),
    err: (text) => void socket.write(frame(2, text)),
  })
  if (!socket.destroyed) socket.end(frame(3, Buffer.from([code])))
}

/** The first line is the request; what follows it, up to the end, is the tool's standard input. */
async function readRequest(
  socket: Socket,
): Promise<{ line: string | undefined; input: () => Promise<Buffer> }> {
  const chunks: Buffer[] = []
  const ended = new Promise<void>((resolve) => {
    socket.once('end', resolve).once('close', () => resolve())
  })
  const line = await new Promise<string | undefined>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      const whole = Buffer.concat(chunks)
      const at = whole.indexOf('\n')
      if (at < 0) return
      socket.removeAllListeners('data')
      chunks.splice(0, chunks.length, whole.subarray(at + 1))
      socket.on('data', (more: Buffer) => chunks.push(more))
      resolve(whole.subarray(0, at).toString('utf8'))
    })
    socket.once('close', () => resolve(undefined))
  })
  return {
    line,
    input: async () => {
      await ended
      return Buffer.concat(chunks)
    },
  }
}

function frame(kind: number, content: Buffer | string): Buffer {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const head = Buffer.alloc(5)
  head.writeUInt8(kind)
  head.writeUInt32BE(bytes.length, 1)
  return Buffer.concat([head, bytes])
}
