import {
  type ClientHttp2Session,
  connect as connectHttp2,
  type IncomingHttpHeaders,
} from 'node:http2'
import { connect as connectTcp } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type CertifiedKey, issueKey } from '../../src/sandbox/pki.ts'
import { talosPort } from '../../src/sandbox/talos/api/talos-port.ts'
import { rigAddresses } from '../network/rig-addresses.ts'
import { frame, unframe } from './grpc-frames.ts'

/**
 * A connection to the real API of a node, on the way that passes its front by, with the rights of
 * somebody who showed a certificate with these roles.
 */
export function openUpstream(
  address: string,
  issuer: CertifiedKey,
  roles: readonly string[],
): ClientHttp2Session {
  const client = issueKey('ed25519', {
    subject: { organizations: roles },
    issuer,
    usages: ['clientAuth'],
  })
  const session = connectHttp2(`https://${address}:${talosPort}`, {
    createConnection: () =>
      connectTls({
        socket: connectTcp({ host: address, port: talosPort, localAddress: rigAddresses.rig }),
        ca: issuer.crt,
        cert: client.crt,
        key: client.key,
        ALPNProtocols: ['h2'],
        // The node is known by the wire that leads to it.
        checkServerIdentity: () => undefined,
      }),
  })
  // Each call on it hears of the failure itself.
  session.on('error', () => {})
  return session
}

/** A call that the rig makes for itself: all that is answered, or an error with Talos's own words. */
export async function callUpstream(
  session: ClientHttp2Session,
  path: string,
  message: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Promise<Buffer[]> {
  const stream = session.request({
    ...headers,
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
  })
  let end: IncomingHttpHeaders = {}
  stream.on('response', (headers) => {
    end = { ...headers }
  })
  stream.on('trailers', (trailers) => {
    end = trailers
  })
  stream.end(frame(message))
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  if (end['grpc-status'] !== '0') {
    const reason = decodeURIComponent(String(end['grpc-message'] ?? 'no answer'))
    throw new Error(reason)
  }
  return unframe(Buffer.concat(chunks))
}
