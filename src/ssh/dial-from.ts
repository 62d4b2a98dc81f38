import type { Duplex } from 'node:stream'
import type { RemoteHost } from './ssh-pool.ts'

/**
 * A stream from a host to an address that it reaches, over the host's connection; it takes none of its channels for
 * scripts. `withinMs` is for the host's answer, in milliseconds. Throws what connecting throws, and `ssh-failed` where the
 * host cannot reach the address or forwards nothing (AllowTcpForwarding).
 */
export async function dialFrom(
  remote: RemoteHost,
  to: { readonly address: string; readonly port: number },
  withinMs: number,
): Promise<Duplex> {
  const connection = await remote.connect()
  return connection.forward(to, { withinMs, signal: remote.signal })
}
