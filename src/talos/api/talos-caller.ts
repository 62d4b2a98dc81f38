import type {
  DescMessage,
  DescMethodBiDiStreaming,
  DescMethodClientStreaming,
  DescMethodServerStreaming,
  DescMethodUnary,
  MessageInitShape,
  MessageShape,
} from '@bufbuild/protobuf'

export interface CallOptions {
  /**
   * How long this call may take, in milliseconds; a stream's whole length. `Infinity` for a stream that
   * is followed until somebody leaves it.
   */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  /**
   * Has a control plane pass the call on to this node, by its plain address: its answers and its
   * failures come back as if it had been dialled. Workers pass on nothing.
   */
  readonly node?: string | undefined
  /**
   * Has a control plane ask several nodes at once: see askNodes. Talos takes it for methods whose answer
   * has room for who gave it, and not for resources, images and the lifecycle.
   */
  readonly nodes?: readonly string[] | undefined
}

/** What is sent one after the other, as it comes. */
export type Requests<T> = Iterable<T> | AsyncIterable<T>

/**
 * Somebody who can put calls to a Talos node: one connection, a pool of them, or one that tries again.
 * Failures are `talos-unreachable`, `talos-identity` or `talos-refused`, with a TalosStatus as their
 * cause; an abort throws the signal's reason.
 */
export interface TalosCaller {
  /** Where calls go, for messages: `203.0.113.7:50000`. */
  readonly address: string

  /** Asks once and returns the answer. */
  unary<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    options?: CallOptions,
  ): Promise<MessageShape<O>>

  /** Asks once and yields the answers as they come; leaving the loop ends the call. */
  stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    request: MessageInitShape<I>,
    options?: CallOptions,
  ): AsyncGenerator<MessageShape<O>, void, undefined>

  /** Sends many and returns the one answer. A failure of `requests` ends the call and is thrown. */
  upload<I extends DescMessage, O extends DescMessage>(
    method: DescMethodClientStreaming<I, O>,
    requests: Requests<MessageInitShape<I>>,
    options?: CallOptions,
  ): Promise<MessageShape<O>>

  /** Sends and receives at the same time; leaving the loop ends both. */
  duplex<I extends DescMessage, O extends DescMessage>(
    method: DescMethodBiDiStreaming<I, O>,
    requests: Requests<MessageInitShape<I>>,
    options?: CallOptions,
  ): AsyncGenerator<MessageShape<O>, void, undefined>
}

/** A caller that somebody may tell to stop. */
export interface TalosConnection extends TalosCaller {
  /** Throws the reason once it was told to. */
  throwIfAborted(): void
}
