import type { HealthQuery } from './methods/other-methods.ts'
import type { TalosApi } from './talos-api.ts'

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
  for await (const { message } of cluster.healthCheck(query, options)) {
    const [, sentence, state] = /^waiting for (.*?): (.*)$/s.exec(message) ?? []
    if (sentence === undefined || state === undefined || state === '...') continue
    const isTrue = state === 'OK' || state === 'SKIP'
    yield { sentence, isTrue, reason: isTrue ? '' : state }
  }
}
