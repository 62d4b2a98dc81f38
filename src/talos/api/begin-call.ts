import type { DescMethod } from '@bufbuild/protobuf'
import {
  type CallOptions as GrpcCallOptions,
  Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js'
import type { CallHook } from './call-hook.ts'
import type { CallOptions } from './talos-caller.ts'
import {
  type CallTarget,
  type CertificateEnd,
  statusCode,
  TalosStatus,
  translateFailure,
} from './talos-status.ts'

/** What a client puts every call with. */
export interface CallDefaults {
  readonly address: string
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  readonly hook: CallHook | undefined
  readonly ends?: readonly CertificateEnd[] | undefined
}

/** A call that has started: what it is put with, and what becomes of its end. */
export interface BegunCall {
  readonly path: string
  readonly metadata: Metadata
  readonly callOptions: GrpcCallOptions
  readonly signal: AbortSignal | undefined
  receive(): void
  succeed(): void
  /** Ends it, and returns what is to be thrown. */
  fail(error: unknown): unknown
  /** The answers of a stream; leaving the loop cancels it. A failure of `sent` ends it too. */
  answers<T>(call: AnswerStream<T>, sent?: Promise<void>): AsyncGenerator<T, void, undefined>
}

interface AnswerStream<T> extends AsyncIterable<T> {
  cancel(): void
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'metadata', listener: () => void): unknown
}

export function beginCall(
  method: DescMethod,
  options: CallOptions,
  defaults: CallDefaults,
): BegunCall {
  const { address, hook, ends } = defaults
  const path = `${method.parent.typeName}/${method.name}`
  const signal = joinSignals(options.signal, defaults.signal)
  const metadata = routeTo(options)
  const started = Date.now()
  const ended = hook?.({
    method: path,
    address,
    nodes: options.nodes ?? (options.node === undefined ? [] : [options.node]),
    setHeader: (name, value) => metadata.set(name, value),
  })
  let received = 0
  // A stream may outlive the certificate that it was opened with: once accepted, it does not break of that.
  let isAccepted = false
  let over = false
  const end = (code: number) => {
    if (!over) ended?.({ code, durationMs: Date.now() - started, received })
    over = true
  }
  const fail = (error: unknown) => {
    const shown = isAccepted ? [] : ends
    const failure = translate(error, { method: method.name, address, ends: shown, signal })
    end(statusCode(failure) ?? status.CANCELLED)
    return failure
  }
  return {
    path: `/${path}`,
    metadata,
    callOptions: { deadline: Date.now() + (options.timeoutMs ?? defaults.timeoutMs) },
    signal,
    receive: () => void received++,
    succeed: () => end(status.OK),
    fail,
    async *answers(call, sent) {
      // The end of a cancelled call arrives when nobody listens any more; it is no failure then.
      call.on('error', () => undefined)
      call.on('metadata', () => {
        isAccepted = true
      })
      const cancel = () => call.cancel()
      const unsent: { error: unknown }[] = []
      sent?.catch((error: unknown) => {
        unsent.push({ error })
        call.cancel()
      })
      signal?.addEventListener('abort', cancel, { once: true })
      try {
        if (signal?.aborted) throw signal.reason
        for await (const message of call) {
          isAccepted = true
          received++
          yield message
        }
        end(status.OK)
      } catch (error) {
        const [own] = unsent
        throw own ? own.error : fail(error)
      } finally {
        signal?.removeEventListener('abort', cancel)
        call.cancel()
        end(status.CANCELLED)
      }
    },
  }
}

function translate(
  error: unknown,
  { signal, ...target }: CallTarget & { signal: AbortSignal | undefined },
): unknown {
  if (signal?.aborted) return signal.reason
  if (isServiceError(error)) return translateFailure(error, target)
  if (error === null) {
    return translateFailure({ code: status.INTERNAL, details: 'an empty answer' }, target)
  }
  return error
}

function routeTo({ node, nodes }: CallOptions): Metadata {
  const metadata = new Metadata()
  if (node !== undefined) metadata.set('node', node)
  for (const each of nodes ?? []) metadata.add('nodes', each)
  return metadata
}

function joinSignals(
  one: AbortSignal | undefined,
  other: AbortSignal | undefined,
): AbortSignal | undefined {
  return one === undefined || other === undefined ? (one ?? other) : AbortSignal.any([one, other])
}

function isServiceError(error: unknown): error is ServiceError {
  return (
    error instanceof Error &&
    !(error instanceof TalosStatus) &&
    'code' in error &&
    typeof error.code === 'number' &&
    'details' in error &&
    typeof error.details === 'string'
  )
}
