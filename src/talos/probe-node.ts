import { connect, type TLSSocket } from 'node:tls'
import { spkiFingerprint } from './api/spki-fingerprint.ts'
import { talosPort } from './api/talos-client.ts'
import { certificateRequired } from './api/talos-status.ts'

/** How a node answers somebody who shows no certificate. */
export type Probe =
  | { readonly state: 'unreachable'; readonly reason: string }
  | {
      /** It takes a config from anybody, or wants the certificate of a client of its cluster. */
      readonly state: 'maintenance' | 'configured'
      /** Base64 SHA-256 of its public key (SPKI), as Talos shows it on the console. */
      readonly fingerprint: string
    }

export interface ProbeOptions {
  readonly port?: number | undefined
  /** How long to wait for an answer, in milliseconds; 5 s. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** The HTTP/2 preface with empty settings: a server that wants no certificate answers it. */
export const http2Preface = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]),
])

/**
 * Knocks at a node's Talos port without a certificate, and changes nothing. Never throws, save for the
 * signal's reason: a node that is away is an answer too.
 */
export function probeNode(
  address: string,
  { port = talosPort, timeoutMs = 5_000, signal }: ProbeOptions = {},
): Promise<Probe> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    // Nothing is trusted on this connection, and nothing but the preface is sent.
    const socket = connect({
      host: address,
      port,
      rejectUnauthorized: false,
      ALPNProtocols: ['h2'],
    })
    let fingerprint: string | undefined
    const end = (probe: Probe) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      socket.destroy()
      resolve(probe)
    }
    const onAbort = () => {
      clearTimeout(timer)
      socket.destroy()
      reject(signal?.reason)
    }
    const timer = setTimeout(() => end({ state: 'unreachable', reason: 'no answer' }), timeoutMs)
    signal?.addEventListener('abort', onAbort, { once: true })
    socket.once('secureConnect', () => {
      fingerprint = fingerprintOf(socket)
      socket.write(http2Preface)
    })
    socket.once('data', () => {
      if (fingerprint !== undefined) end({ state: 'maintenance', fingerprint })
    })
    socket.on('error', (error) => end(afterError(error, fingerprint)))
    socket.once('close', () => end({ state: 'unreachable', reason: 'it hung up' }))
  })
}

function afterError(error: Error, fingerprint: string | undefined): Probe {
  return fingerprint !== undefined && certificateRequired.test(`${codeOf(error)} ${error.message}`)
    ? { state: 'configured', fingerprint }
    : { state: 'unreachable', reason: codeOf(error) ?? error.message }
}

function codeOf(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

function fingerprintOf(socket: TLSSocket): string | undefined {
  const raw = socket.getPeerX509Certificate()
  return raw && spkiFingerprint(raw)
}
