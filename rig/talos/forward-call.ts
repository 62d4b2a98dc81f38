import {
  type ClientHttp2Session,
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2'

/** Headers that belong to a connection, or that HTTP/2 makes itself. */
const ofTheConnection = new Set([':authority', 'host', 'connection', 'te', ':scheme'])

/**
 * Passes a call on to the node as it is: its headers, what it streams in both directions as it comes,
 * the status at its end, and an end before its time.
 */
export function forwardCall(
  incoming: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  upstream: ClientHttp2Session,
): void {
  const outgoing = upstream.request(forwarded(headers), { endStream: false })
  let trailers: OutgoingHttpHeaders = {}
  outgoing.on('response', (response) => {
    if (incoming.destroyed || incoming.headersSent) return
    // An answer of a status alone comes without a body.
    const endStream = response['grpc-status'] !== undefined
    incoming.respond(withoutPseudo(response), { endStream, waitForTrailers: !endStream })
    if (!endStream) outgoing.pipe(incoming)
  })
  outgoing.on('trailers', (received) => {
    trailers = withoutPseudo(received)
  })
  incoming.on('wantTrailers', () => incoming.sendTrailers(trailers))
  incoming.pipe(outgoing)
  incoming.on('aborted', () => outgoing.close(constants.NGHTTP2_CANCEL))
  incoming.on('error', () => outgoing.close(constants.NGHTTP2_CANCEL))
  outgoing.on('error', () => {})
  outgoing.on('close', () => {
    // A node that goes away takes the connection with it: it answers nothing, not even with a failure.
    if (upstream.destroyed || upstream.closed) incoming.session?.destroy()
    else if (outgoing.rstCode !== constants.NGHTTP2_NO_ERROR) incoming.close(outgoing.rstCode)
  })
}

function forwarded(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return {
    ...Object.fromEntries(Object.entries(headers).filter(([name]) => !ofTheConnection.has(name))),
    te: 'trailers',
  }
}

function withoutPseudo(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'connection'))
}
