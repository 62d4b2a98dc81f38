import type { ServerHttp2Stream } from 'node:http2'
import { status } from '@grpc/grpc-js'
import { RpcError } from '../../src/sandbox/talos/api/rpc.ts'
import { frame } from './grpc-frames.ts'

const headers = { ':status': 200, 'content-type': 'application/grpc' } as const

/**
 * Answers a call with messages as they come, and with its status at the end. `leave` is asked before the
 * first word goes out; where it says no, the connection is cut instead.
 */
export async function sendAnswers(
  stream: ServerHttp2Stream,
  messages: AsyncIterable<Uint8Array>,
  leave: () => Promise<boolean>,
): Promise<void> {
  let trailers: Record<string, string> = { 'grpc-status': `${status.OK}` }
  stream.once('wantTrailers', () => stream.sendTrailers(trailers))
  const begin = async () => {
    if (stream.headersSent) return true
    const goesOut = (await leave()) && !stream.destroyed
    if (goesOut) stream.respond(headers, { waitForTrailers: true })
    else stream.session?.destroy()
    return goesOut
  }
  try {
    for await (const message of messages) {
      if (!(await begin())) return
      stream.write(frame(message))
    }
  } catch (error) {
    const code = error instanceof RpcError ? error.code : status.UNKNOWN
    const text = error instanceof Error ? error.message : String(error)
    trailers = { 'grpc-status': `${code}`, 'grpc-message': percentEncode(text) }
  }
  if (await begin()) stream.end()
}

/** A call that is answered with a failure alone. */
export async function* refuse(error: RpcError): AsyncIterable<Uint8Array> {
  yield* []
  throw error
}

/** As gRPC wants it: what is printable stays as it is, but for the sign that says that something does not. */
function percentEncode(text: string): string {
  return text.replace(/[^ -$&-~]+/gu, (part) => encodeURIComponent(part))
}
