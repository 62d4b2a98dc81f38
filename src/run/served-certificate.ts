import { connect } from 'node:tls'

/** The dates of the certificate that somebody shows on a port, in milliseconds; undefined where none was shown. */
export function servedCertificate(
  host: string,
  port: number,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<{ readonly notAfter: number } | undefined> {
  return new Promise((resolve) => {
    // Nothing is sent, and nothing but the dates is taken from it.
    const socket = connect({
      host,
      port,
      rejectUnauthorized: false,
      ALPNProtocols: ['h2', 'http/1.1'],
    })
    const end = (found?: { readonly notAfter: number }) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      socket.destroy()
      resolve(found)
    }
    const stop = () => end()
    const timer = setTimeout(stop, timeoutMs)
    signal.addEventListener('abort', stop, { once: true })
    socket.once('secureConnect', () => {
      const shown = socket.getPeerX509Certificate()
      end(shown && { notAfter: Date.parse(shown.validTo) })
    })
    socket.on('error', stop)
    socket.once('close', stop)
  })
}
