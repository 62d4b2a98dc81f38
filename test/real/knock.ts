import { connect as connectTcp } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { rigAddresses } from '../../rig/network/rig-addresses.ts'
import { talosPort } from '../../src/sandbox/talos/api/talos-port.ts'

/**
 * What a node's own Talos API says to whoever shows this certificate: `accepted`, or the alert of its TLS. It goes past
 * the front that the rig puts before a node, whose TLS is not Talos's.
 */
export function knock(
  address: string,
  { crt: cert, key }: { readonly crt: string; readonly key: string },
): Promise<string> {
  return new Promise((resolve) => {
    const socket = connectTls({
      socket: connectTcp({ host: address, port: talosPort, localAddress: rigAddresses.rig }),
      cert,
      key: key.replaceAll('ED25519 PRIVATE KEY', 'PRIVATE KEY'),
      ALPNProtocols: ['h2'],
      // What it shows itself is another matter.
      rejectUnauthorized: false,
    })
    const end = (answer: string) => {
      socket.destroy()
      resolve(answer)
    }
    // gRPC's server speaks first, once it has let the client in.
    socket.once('data', () => end('accepted'))
    socket.once('error', ({ message }) => end(message))
    socket.once('close', () => end('closed'))
    socket.setTimeout(5_000, () => end('silent'))
  })
}
