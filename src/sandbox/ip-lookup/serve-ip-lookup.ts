import { serveHttp } from '../serve-http.ts'
import type { World } from '../world.ts'

/**
 * Answers each caller with its own address as a line of text, as such services on the internet do; with
 * `callerAddress` where callers come over loopback and have another one outside.
 */
export function serveIpLookup(
  world: World,
  {
    port,
    callerAddress,
  }: { readonly port?: number; readonly callerAddress?: string | undefined } = {},
): Promise<{ url: string; close(): Promise<void> }> {
  return serveHttp(world, {
    name: 'ip-lookup',
    port,
    answer: ({ remoteAddress }) => ({
      status: 200,
      headers: { 'Content-Type': 'text/plain' },
      body: `${callerAddress ?? remoteAddress}\n`,
    }),
  })
}
