import type { ToolHost } from './tool.ts'

export type Download =
  /** The body, whole, or as far as it came before the connection broke. */
  | {
      readonly kind: 'body'
      readonly status: number
      readonly bytes: Buffer
      readonly whole: boolean
    }
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'no-host' }
  | { readonly kind: 'no-connection' }

/** One GET. The sandbox has no way out: only loopback can be reached. */
export async function download(host: ToolHost, url: URL): Promise<Download> {
  if (!/^(127\.\d+\.\d+\.\d+|localhost)$/.test(url.hostname)) return { kind: 'no-host' }
  try {
    const response = await fetch(url, { redirect: 'manual', signal: host.world.signal })
    const location = response.headers.get('location')
    if (response.status >= 300 && response.status < 400 && location !== null) {
      return { kind: 'redirect', location: new URL(location, url).href }
    }
    // What takes time is the body; a redirect has none.
    await host.world.pause('image-download', { target: host.machine.name })
    return { kind: 'body', status: response.status, ...(await readBody(response)) }
  } catch {
    return { kind: 'no-connection' }
  }
}

/** GET that follows redirects, ten of them at most. */
export async function downloadFollowing(host: ToolHost, url: URL): Promise<Download> {
  let next = url
  for (let redirects = 0; redirects < 10; redirects++) {
    const got = await download(host, next)
    if (got.kind !== 'redirect') return got
    next = new URL(got.location)
  }
  return { kind: 'no-connection' }
}

async function readBody(response: Response): Promise<{ bytes: Buffer; whole: boolean }> {
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of response.body ?? []) chunks.push(chunk)
    return { bytes: Buffer.concat(chunks), whole: true }
  } catch {
    return { bytes: Buffer.concat(chunks), whole: false }
  }
}
