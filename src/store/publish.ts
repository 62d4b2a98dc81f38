import type { Clock } from '../lib/clock.ts'
import { ClusterError, isClusterError } from '../lib/cluster-error.ts'
import type { Random } from '../lib/random.ts'
import { retry } from '../lib/retry.ts'
import { refuseBlockedRefs } from './blocked-ref.ts'
import type { PrivateRepository, RefUpdate } from './git/private-repository.ts'

export interface PublishEnvironment {
  readonly repository: PrivateRepository
  readonly clock: Clock
  readonly random: Random
  readonly signal?: AbortSignal | undefined
}

/**
 * Moves refs together. Where the connection was cut, it finds out what became of the push by reading back.
 * A rejection may still be our own doing: curl sends a request again whose connection died, which is then in
 * its own way; see `publishAlone`. Throws `state-push-refused`, `state-ref-blocked`, and `state-unreachable` when the remote stays
 * away.
 */
export async function publish(
  updates: readonly RefUpdate[],
  { repository, clock, random, signal }: PublishEnvironment,
): Promise<'accepted' | 'rejected'> {
  let doubtful = false
  let silent = 0
  const environment = signal ? { clock, random, signal } : { clock, random }
  return await retry(
    async () => {
      // What was sent once may have arrived: look before sending it again.
      const found = doubtful ? await readBack(updates, repository) : 'unchanged'
      if (found !== 'unchanged') return found
      const result = await repository.push(updates)
      if (result === 'accepted') return result
      await refuseBlockedRefs(updates, repository)
      if (result === 'rejected' && !doubtful) return result
      doubtful = true
      if (result === 'silent') silent++
      if (result !== 'rejected') throw unanswered(repository.target, silent)
      return (await readBack(updates, repository)) === 'accepted' ? 'accepted' : 'rejected'
    },
    {
      retries: 4,
      baseMs: 1_000,
      maxMs: 8_000,
      retryable: (error) => isUnreachable(error) && silent < mostSilent,
    },
    environment,
  )
}

/** A remote that hangs on pushes is waited for so often: each takes its whole time, and the lock runs out. */
const mostSilent = 2

/** Likewise for a ref that nobody builds upon: a rejection is looked into before it is believed. */
export async function publishAlone(
  update: RefUpdate,
  environment: PublishEnvironment,
): Promise<'accepted' | 'rejected'> {
  const result = await publish([update], environment)
  if (result === 'accepted') return result
  return (await readBack([update], environment.repository)) === 'accepted' ? 'accepted' : 'rejected'
}

async function readBack(
  updates: readonly RefUpdate[],
  repository: PrivateRepository,
): Promise<'accepted' | 'rejected' | 'unchanged'> {
  const refs = await repository.remoteRefs(updates.map(({ ref }) => ref))
  if (updates.every(({ ref, next }) => refs.get(ref) === next)) return 'accepted'
  return updates.every(({ ref, expected }) => refs.get(ref) === expected) ? 'unchanged' : 'rejected'
}

function isUnreachable(error: unknown): boolean {
  return isClusterError(error, 'state-unreachable')
}

function unanswered(target: string, silent: number): ClusterError {
  return silent < mostSilent ? cutOff(target) : gaveUp(target)
}

function gaveUp(target: string): ClusterError {
  return new ClusterError(
    'state-unreachable',
    `the remote took ${mostSilent} pushes and answered neither`,
    {
      hint: 'Look whether the remote works, then run again: it reads what is there and continues from it.',
      operation: 'write the state branch',
      target,
    },
  )
}

function cutOff(target: string): ClusterError {
  return new ClusterError(
    'state-unreachable',
    'the connection was cut while the state was written; whether it arrived is not known',
    {
      hint: 'Run again: it reads what is there and continues from it.',
      operation: 'write the state branch',
      target,
    },
  )
}
