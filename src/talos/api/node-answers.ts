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

/** The failure that a message holds instead of an answer. */
function failureOf({ metadata }: AnsweredBy, target: CallTarget): ClusterError | undefined {
  const text = metadata?.error ?? ''
  if (text === '') return undefined
  const { code = status.UNKNOWN, message = text, details = [] } = metadata?.status ?? {}
  return translateStatus(new TalosStatus(code, message, describeDetails(details)), message, target)
}
