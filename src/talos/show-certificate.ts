import { checkServerIdentity, connect } from 'node:tls'
import { status } from '@grpc/grpc-js'
import { opensslKeyPem } from '../lib/key-maker.ts'
import { talosPort } from './api/talos-client.ts'
import { translateFailure } from './api/talos-status.ts'
import { credentialEnds, type TalosCredentials } from './config/talosconfig.ts'
import { http2Preface } from './probe-node.ts'

/**
 * How a node treats the certificate of a client: it talks to whoever shows it, it says why it does not, or it hangs
 * up without a word, which a node that is about to restart does as well.
 */
export type Reception = 'let-in' | 'rejected' | 'hung-up'

export interface ShowOptions {
  readonly credentials: TalosCredentials
  readonly port?: number | undefined
  /** How long to wait for an answer, in milliseconds; 5 s. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** Alerts about the certificate that was shown; what this side finds wrong with the node's own is worded otherwise. */
const rejection = /alert[ _](unknown[ _]ca|bad[ _]certificate)/i

/**
 * Shows a node a client certificate, and asks nothing. Only who has proven to be the node by its own certificate has
 * an answer that counts. Throws the signal's reason, and `talos-unreachable`, `talos-identity`, `certificate-ended`
 * or `clock-wrong` where there was none.
 */
export function showCertificate(
  address: string,
  { credentials, port = talosPort, timeoutMs = 5_000, signal }: ShowOptions,
): Promise<Reception> {
  const { ca, crt, key } = credentials
  const unanswered = (details: string) =>
    translateFailure(
      { code: status.UNAVAILABLE, details },
      { method: 'connect', address: `${address}:${port}`, ends: credentialEnds(credentials) },
    )
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const socket = connect({
      host: address,
      port,
      ca,
      cert: crt,
      key: opensslKeyPem(key),
      ALPNProtocols: ['h2'],
      checkServerIdentity: (_, certificate) => checkServerIdentity(address, certificate),
    })
    let isNode = false
    const end = (answer: Reception | Error) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      socket.destroy()
      if (typeof answer === 'string') resolve(answer)
      else reject(answer)
    }
    const stop = () => end(signal?.reason)
    const timer = setTimeout(() => end(unanswered('it does not answer')), timeoutMs)
    signal?.addEventListener('abort', stop, { once: true })
    // A server that believes the certificate answers this; TLS 1.3 rejects it only after the handshake.
    socket.once('secureConnect', () => {
      isNode = true
      socket.write(http2Preface)
    })
    socket.once('data', () => end('let-in'))
    socket.on('error', (error) => end(isNode ? afterHandshake(error) : unanswered(text(error))))
    socket.once('close', () => end(isNode ? 'hung-up' : unanswered('it hung up')))
    const afterHandshake = (error: Error) => {
      if (rejection.test(text(error))) return 'rejected'
      return /alert/i.test(text(error)) ? unanswered(text(error)) : 'hung-up'
    }
  })
}

function text(error: Error): string {
  return 'code' in error ? `${error.message} (${String(error.code)})` : error.message
}
