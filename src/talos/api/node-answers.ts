import { status } from '@grpc/grpc-js'
import type { ClusterError } from '../../lib/cluster-error.ts'
import type { Metadata } from './gen/common/common_pb.js'
import { describeDetails } from './status-details.ts'
import { type CallTarget, TalosStatus, translateFailure, translateStatus } from './talos-status.ts'

/** What one of several nodes answered; one that failed has failed for itself alone. */
export type NodeAnswer<T> =
  | { readonly node: string; readonly value: T }
  | { readonly node: string; readonly error: unknown }

/** A message that says whose it is, where several nodes were asked. */
interface AnsweredBy {
  readonly metadata?: Metadata | undefined
}

/** For methods that answer with one message per node: that of the one node that was asked. */
export function onlyMessage<T extends AnsweredBy>(messages: readonly T[], target: CallTarget): T {
  const [message] = messages
  if (message === undefined) {
    const details = 'an answer without a message'
    throw translateFailure({ code: status.INTERNAL, details }, target)
  }
  const failure = failureOf(message, target)
  if (failure) throw failure
  return message
}

/**
 * The messages of a call with `nodes`, by node and in their order: what each answered, or how it failed.
 * A node that said nothing is `talos-unreachable`.
 */
export function answersByNode<T extends AnsweredBy>(
  messages: readonly T[],
  nodes: readonly string[],
  method: string,
): NodeAnswer<T>[] {
  return nodes.map((node) => {
    const message = messages.find(({ metadata }) => metadata?.hostname === node)
    if (message !== undefined) return answerOf(message, method)
    const details = 'the control plane that was asked passed on no answer'
    return {
      node,
      error: translateFailure({ code: status.UNAVAILABLE, details }, { method, address: node }),
    }
  })
}

/** The same for a stream: each item says whose it is. One node's failure does not end the others'. */
export async function* streamByNode<T extends AnsweredBy>(
  answers: AsyncIterable<T>,
  method: string,
): AsyncGenerator<NodeAnswer<T>, void, undefined> {
  for await (const message of answers) yield answerOf(message, method)
}

/** Asks several nodes at once, each with a call of its own, and waits for all of them. */
export async function onEachNode<N extends { readonly name: string }, T>(
  nodes: readonly N[],
  ask: (node: N) => Promise<T>,
): Promise<NodeAnswer<T>[]> {
  return Promise.all(
    nodes.map(async (node) => {
      try {
        return { node: node.name, value: await ask(node) }
      } catch (error) {
        return { node: node.name, error }
      }
    }),
  )
}

function answerOf<T extends AnsweredBy>(message: T, method: string): NodeAnswer<T> {
  const node = message.metadata?.hostname ?? ''
  const error = failureOf(message, { method, address: node })
  return error ? { node, error } : { node, value: message }
}

/** The failure that a message holds instead of an answer. */
function failureOf({ metadata }: AnsweredBy, target: CallTarget): ClusterError | undefined {
  const text = metadata?.error ?? ''
  if (text === '') return undefined
  const { code = status.UNKNOWN, message = text, details = [] } = metadata?.status ?? {}
  return translateStatus(new TalosStatus(code, message, describeDetails(details)), message, target)
}
