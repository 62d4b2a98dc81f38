import { status } from '@grpc/grpc-js'
import { ClusterError } from '../../lib/cluster-error.ts'
import type { HealthQuery } from './methods/other-methods.ts'
import type { TalosApi } from './talos-api.ts'
import { statusCode } from './talos-status.ts'

/** One of the things that must be true of a cluster that is well. */
export interface HealthSentence {
  /** `etcd to be healthy`. */
  readonly sentence: string
  readonly isTrue: boolean
  /** Why it is not yet, in the node's words; empty where it is. */
  readonly reason: string
}

/** How much longer than the node itself a caller waits, in milliseconds. */
const graceMs = 15_000

/**
 * The cluster's health as a control plane judges it, with the checks of `talosctl health`: each sentence
 * as it becomes true, and before that as often as there is another reason why it is not. Ends when all are
 * true; throws `talos-refused` with the first that did not become so in time.
 */
export async function* checkClusterHealth(
  { cluster }: Pick<TalosApi, 'cluster'>,
  query: HealthQuery,
): AsyncGenerator<HealthSentence, void, undefined> {
  const options = { timeoutMs: query.waitMs + graceMs }
  let last: HealthSentence | undefined
  try {
    for await (const { message } of cluster.healthCheck(query, options)) {
      const each = toSentence(message)
      if (each === undefined) continue
      last = each
      yield each
    }
  } catch (error) {
    // The node says no more than that its time is over.
    if (last === undefined || last.isTrue || statusCode(error) !== status.DEADLINE_EXCEEDED)
      throw error
    const { sentence, reason } = last
    throw new ClusterError('talos-refused', `the cluster waits for ${sentence}: ${reason}`, {
      operation: "judge the cluster's health",
      cause: error,
    })
  }
}

/** What a line says; undefined for one that only says what comes next. */
function toSentence(line: string): HealthSentence | undefined {
  const [, sentence, state] = /^waiting for (.*?): (.*)$/s.exec(line) ?? []
  if (sentence === undefined || state === undefined || state === '...') return undefined
  const isTrue = state === 'OK' || state === 'SKIP'
  return { sentence, isTrue, reason: isTrue ? '' : state }
}
