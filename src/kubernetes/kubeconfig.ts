import type { Duplex } from 'node:stream'
import { KubeConfig } from '@kubernetes/client-node/dist/config.js'
import { ClusterError } from '../lib/cluster-error.ts'

/** What it takes to dial one API server: taken from a kubeconfig, never printed. */
export interface ApiConnection {
  readonly server: URL
  readonly headers: Readonly<Record<string, string>>
  /** How the server is reached where that is not by its address: a stream to it, for each connection. */
  readonly dial?: () => Promise<Duplex>
  readonly tls: {
    readonly ca?: string | Buffer
    readonly cert?: string | Buffer
    readonly key?: string | Buffer
    readonly servername?: string
    readonly rejectUnauthorized: boolean
  }
}

/**
 * Reads the current context of a kubeconfig text. To be loaded lazily, since the library is large and
 * a plan needs none of it; imported from its own file, so that a bundler can leave out watches, caches and
 * the rest of the API.
 * Throws `kubernetes-refused` when the text names no cluster and user.
 */
export async function readKubeconfig(text: string): Promise<ApiConnection> {
  const config = new KubeConfig()
  try {
    config.loadFromString(text)
  } catch {
    // The library's message quotes the text, which holds a private key.
    throw unusable('it is not a kubeconfig')
  }
  const server = config.getCurrentCluster()?.server
  if (server === undefined || !config.getCurrentUser()) {
    throw unusable('its current context names no cluster and user')
  }
  const options: Parameters<typeof config.applyToHTTPSOptions>[0] = {}
  await config.applyToHTTPSOptions(options)
  const { ca, cert, key, servername, rejectUnauthorized } = options
  return {
    server: new URL(server),
    headers: textHeaders(options.headers),
    tls: {
      ...(isBytes(ca) ? { ca } : {}),
      ...(isBytes(cert) ? { cert } : {}),
      ...(isBytes(key) ? { key } : {}),
      ...(servername === undefined ? {} : { servername }),
      rejectUnauthorized: rejectUnauthorized ?? true,
    },
  }
}

function isBytes(value: unknown): value is string | Buffer {
  return typeof value === 'string' || Buffer.isBuffer(value)
}

function textHeaders(headers: unknown): Record<string, string> {
  if (typeof headers !== 'object' || headers === null) return {}
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

function unusable(why: string): ClusterError {
  return new ClusterError('kubernetes-refused', `the kubeconfig cannot be used: ${why}`, {
    operation: 'read kubeconfig',
    hint: 'Fetch a new one with `hcloud-talos kubeconfig`.',
  })
}
