import type { Clock } from '../lib/clock.ts'
import { type Checked, waitFor } from '../lib/wait-for.ts'
import { isTransient } from './api/talos-status.ts'

/** What every wait for a node takes from its caller. */
export interface TalosWaitOptions {
  readonly clock: Clock
  /** How long to wait at most, in milliseconds; each wait has a default of its own. */
  readonly withinMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Told whenever the reason for waiting changes. */
  readonly onPending?: ((reason: string) => void) | undefined
}

const everyMs = 1_000

/**
 * Polls like waitFor, and takes a node that cannot be reached for a moment as a reason to wait: nodes
 * close their port between two states. Other failures end the wait at once.
 */
export function waitForTalos<T>(
  sentence: string,
  check: () => Promise<Checked<T>>,
  { clock, signal, onPending, withinMs }: TalosWaitOptions,
  { defaultMs, hint }: { readonly defaultMs: number; readonly hint: string },
): Promise<T> {
  return waitFor(sentence, () => pendingWhileAway(check), {
    clock,
    everyMs,
    withinMs: withinMs ?? defaultMs,
    signal,
    hint,
    ...(onPending && { onPending }),
  })
}

async function pendingWhileAway<T>(check: () => Promise<Checked<T>>): Promise<Checked<T>> {
  try {
    return await check()
  } catch (error) {
    if (!isTransient(error)) throw error
    return { pending: error instanceof Error ? error.message : 'the node is away' }
  }
}
