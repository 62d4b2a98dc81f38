/** A call that is about to be put. */
export interface StartedCall {
  /** `machine.MachineService/Version`. */
  readonly method: string
  /** `203.0.113.7:50000`. */
  readonly address: string
  /** Whom it is passed on to; empty for the node that is dialled. */
  readonly nodes: readonly string[]
  /** Adds a header, such as a trace's `traceparent`. */
  setHeader(name: string, value: string): void
}

export interface EndedCall {
  /** A gRPC status code; 0 for success, 1 also for a stream that was left. */
  readonly code: number
  readonly durationMs: number
  /** How many messages came. */
  readonly received: number
}

/**
 * Is told of each call before it is put, and of its end if it answers with a function: what logging,
 * metrics and tracing hang on. A retry is a call of its own.
 */
export type CallHook = (call: StartedCall) => ((end: EndedCall) => void) | undefined
