import { Agent, type AgentOptions, type RequestOptions } from 'node:https'
import { type Duplex, PassThrough } from 'node:stream'
import { type ConnectionOptions, connect } from 'node:tls'

type OnConnected = (error: Error | null, stream: Duplex) => void

/** TLS over streams that somebody else opens, as through a tunnel. The server proves the name of the request's address. */
export class DialledAgent extends Agent {
  readonly #dial: () => Promise<Duplex>

  constructor(options: AgentOptions, dial: () => Promise<Duplex>) {
    super(options)
    this.#dial = dial
  }

  override createConnection(
    options: RequestOptions & ConnectionOptions,
    onConnected?: OnConnected,
  ): undefined {
    this.#dial().then(
      (socket) => onConnected?.(null, connect({ ...options, socket })),
      // A failure of the stream is one of this connection, so that another server may be tried.
      (cause: unknown) => {
        const reason = cause instanceof Error ? cause.message : String(cause)
        onConnected?.(new Error(reason, { cause }), new PassThrough().destroy())
      },
    )
  }
}
