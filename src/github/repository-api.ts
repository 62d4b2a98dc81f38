import type { getOctokit } from '@actions/github'
import { TooLarge } from '../lib/bounded-bytes.ts'
import type { Clock } from '../lib/clock.ts'
import { isClusterError } from '../lib/cluster-error.ts'
import type { RecordExchange } from '../lib/http-exchange.ts'
import type { Random } from '../lib/random.ts'
import type { RepositoryApi } from '../lib/repository-api.ts'
import { retry } from '../lib/retry.ts'
import { explainRefusal } from './api-refusal.ts'
import { connectGithub } from './connect-github.ts'

type Octokit = ReturnType<typeof getOctokit>

export interface RepositoryApiOptions {
  readonly token: string
  /** `https://api.github.com`, or another server's. */
  readonly apiUrl: string
  readonly owner: string
  readonly repository: string
  readonly clock: Clock
  readonly random: Random
  /** Told before a wait for GitHub's limits of use. */
  readonly onLimit?: ((message: string) => void) | undefined
  readonly record?: RecordExchange | undefined
}

const idOfRepository = `query ($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) { id }
}`

const moveAll = `mutation ($input: UpdateRefsInput!) {
  updateRefs(input: $input) { clientMutationId }
}`

/** What GraphQL takes for a ref that is not there. */
const absent = '0'.repeat(40)

/** One repository on GitHub, written to without a push. Its commits are signed by GitHub, as rules may ask. */
export function createRepositoryApi(options: RepositoryApiOptions): RepositoryApi {
  const { clock, random, owner, repository: repo } = options
  const place = { owner, repo }
  let connected: Promise<Octokit> | undefined
  let repositoryId: string | undefined

  const connection = (): Promise<Octokit> => {
    connected ??= connectGithub(options)
    return connected
  }

  /** Asks until there is an answer: what is asked for this way may be made twice. */
  const ask = <Answer>(
    question: (octokit: Octokit) => Promise<Answer>,
    signal: AbortSignal | undefined,
  ): Promise<Answer> =>
    retry(
      async () => {
        try {
          return await question(await connection())
        } catch (error) {
          signal?.throwIfAborted()
          throw explainRefusal(error, `${owner}/${repo}`)
        }
      },
      {
        retries: 3,
        baseMs: 1_000,
        maxMs: 8_000,
        retryable: (error) =>
          isClusterError(error, 'state-unreachable') && !isTooLarge(error.cause),
      },
      signal ? { clock, random, signal } : { clock, random },
    )

  return {
    async createTree(base, files, signal) {
      const tree = [...files].map(([path, content]) => {
        const entry = { path, mode: '100644', type: 'blob' } as const
        return content === undefined ? { ...entry, sha: null } : { ...entry, content }
      })
      const body = { ...place, tree, ...(base !== undefined && { base_tree: base }) }
      const request = requestOf(signal)
      const { data } = await ask(
        (octokit) => octokit.rest.git.createTree({ ...body, request }),
        signal,
      )
      return data.sha
    },
    async createCommit({ message, tree, parents }, signal) {
      const body = { ...place, message, tree, parents: [...parents], request: requestOf(signal) }
      const { data } = await ask((octokit) => octokit.rest.git.createCommit(body), signal)
      return data.sha
    },
    async moveRefs(updates, signal) {
      const request = requestOf(signal)
      repositoryId ??= await ask(async (octokit) => {
        const variables = { owner, name: repo, request }
        const found = await octokit.graphql<{ repository: { id: string } }>(
          idOfRepository,
          variables,
        )
        return found.repository.id
      }, signal)
      const refUpdates = updates.map(({ ref, before, after }) => ({
        name: ref,
        beforeOid: before ?? absent,
        afterOid: after ?? absent,
      }))
      const octokit = await connection()
      try {
        await octokit.graphql(moveAll, { input: { repositoryId, refUpdates }, request })
        return 'moved'
      } catch (error) {
        signal?.throwIfAborted()
        const refusal = explainRefusal(error, `${owner}/${repo}`)
        if (isClusterError(refusal, 'state-push-refused')) throw refusal
        return 'unclear'
      }
    },
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof TooLarge
}

function requestOf(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal ? { signal } : {}
}
