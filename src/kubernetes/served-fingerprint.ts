import type { Duplex } from 'node:stream'
import { connect } from 'node:tls'
import { ClusterError } from '../lib/cluster-error.ts'

/**
 * The SHA-256 of the certificate that is shown over a stream to a TLS server, in hex with colons. It is only looked at, not
 * trusted: nothing is sent. Throws `kubernetes-unreachable` where none is shown in time (milliseconds of the wall's time).
 */
export async function servedFingerprint(stream: Duplex, withinMs: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const fail = (cause: Error) =>
    reject(
      new ClusterError(
        'kubernetes-unreachable',
        `the API server shows no certificate: ${cause.message}`,
        { operation: 'look at its certificate', cause },
      ),
    )
  const socket = connect({ socket: stream, rejectUnauthorized: false })
  const late = setTimeout(() => fail(new Error('no answer')), withinMs)
  socket
    .once('secureConnect', () => resolve(socket.getPeerCertificate().fingerprint256))
    .on('error', fail)
    .once('close', () => fail(new Error('the connection was closed')))
  try {
    return await promise
  } finally {
    clearTimeout(late)
    socket.destroy()
  }
}
