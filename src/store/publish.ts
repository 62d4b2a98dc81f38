import type { Clock } from '../lib/clock.ts'
import { ClusterError, isClusterError } from '../lib/cluster-error.ts'
import type { Random } from '../lib/random.ts'
import { retry } from '../lib/retry.ts'
import type { PrivateRepository, RefUpdate } from './git/private-repository.ts'

export interface PublishEnvironment {
  readonly repository: PrivateRepository
  readonly clock: Clock
  readonly random: Random
  readonly signal?: AbortSignal | undefined
}

/** How far back our commit is looked for when others have built upon it. */
const searchDepth = 64

/**
 * Moves refs together, and finds out how a push ended whose connection was cut: by reading back and
 * looking for our own commits. The first update is the one that decides. Throws `state-push-refused`, and
 * `state-unreachable` when the remote stays away.
 */
export async function publish(
  updates: readonly [RefUpdate, ...RefUpdate[]],
  { repository, clock, random, signal }: PublishEnvironment,
): Promise<'accepted' | 'rejected'> {
  let doubtful = false
  const environment = signal ? { clock, random, signal } : { clock, random }
  return await retry(
    async () => {
      // What was sent once may have arrived: look before sending it again.
      const found = doubtful ? await readBack(updates, repository) : 'unchanged'
      if (found !== 'unchanged') return found
      const result = await repository.push(updates)
      if (result === 'accepted') return result
      if (result === 'rejected') return doubtful ? await settled(updates, repository) : result
      doubtful = true
      throw cutOff(repository.target)
    },
    { retries: 4, baseMs: 1_000, maxMs: 8_000, retryable: isUnreachable },
    environment,
  )
}

/** After a doubtful push, a rejection may only mean that the first one had arrived. */
async function settled(
  updates: readonly [RefUpdate, ...RefUpdate[]],
  repository: PrivateRepository,
): Promise<'accepted' | 'rejected'> {
  const found = await readBack(updates, repository)
  return found === 'unchanged' ? 'rejected' : found
}

async function readBack(
  updates: readonly [RefUpdate, ...RefUpdate[]],
  repository: PrivateRepository,
): Promise<'accepted' | 'rejected' | 'unchanged'> {
  const refs = await repository.remoteRefs(updates.map(({ ref }) => ref))
  if (updates.every(({ ref, next }) => refs.get(ref) === next)) return 'accepted'
  if (updates.every(({ ref, expected }) => refs.get(ref) === expected)) return 'unchanged'
  const [{ ref, next }] = updates
  const built = next !== undefined && (await repository.contains(ref, next, searchDepth))
  return built ? 'accepted' : 'rejected'
}

function isUnreachable(error: unknown): boolean {
  return isClusterError(error, 'state-unreachable')
}

function cutOff(target: string): ClusterError {
  return new ClusterError(
    'state-unreachable',
    'the connection was cut while the state was written; whether it arrived is not known',
    {
      hint: 'Run again: it reads what is there and goes on from it.',
      operation: 'write the state branch',
      target,
    },
  )
}
