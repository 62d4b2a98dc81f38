import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** Serves the files of folders by HTTP, those of the first one that has it. */
export async function serveFolders(
  folders: readonly string[],
  { address, port }: { readonly address: string; readonly port: number },
): Promise<AsyncDisposable> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://folders')
    answer(folders, decodeURIComponent(pathname), response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, address, resolve)
  })
  return {
    [Symbol.asyncDispose]: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

async function answer(
  folders: readonly string[],
  path: string,
  response: ServerResponse,
): Promise<void> {
  for (const folder of folders) {
    const file = join(folder, path)
    const found = await stat(file).catch(() => undefined)
    if (!found?.isFile()) continue
    response.writeHead(200, { 'Content-Length': found.size })
    await pipeline(createReadStream(file), response)
    return
  }
  response.writeHead(404).end()
}
