import { sandboxTokens, serveHetzner } from '../../../src/sandbox/hetzner/api/serve-hetzner.ts'
import { World } from '../../../src/sandbox/world.ts'

export interface HetznerFront extends AsyncDisposable {
  readonly world: World
  /** What Hetzner's own tools read. */
  readonly environment: Readonly<Record<string, string>>
}

/** A fresh project with its API, for other people's clients to be pointed at. */
export async function startHetznerFront(): Promise<HetznerFront> {
  const world = new World({ latencies: 'none' })
  const { url } = await serveHetzner(world)
  const [readWrite = '', readOnly = ''] = Object.keys(sandboxTokens)
  return {
    world,
    environment: {
      HCLOUD_ENDPOINT: url,
      HCLOUD_TOKEN: readWrite,
      HCLOUD_READONLY_TOKEN: readOnly,
    },
    [Symbol.asyncDispose]: () => world.close(),
  }
}
