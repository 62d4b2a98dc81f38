import type { getOctokit } from '@actions/github'
import { type Clock, createClock } from '../lib/clock.ts'
import type { RecordExchange } from '../lib/http-exchange.ts'
import { boundedFetch, type OnAnswer } from './bounded-fetch.ts'

export interface GithubAccess {
  readonly token: string
  /** `https://api.github.com`, or another server's. */
  readonly apiUrl: string
  readonly clock?: Clock | undefined
  /** Ends every request. */
  readonly signal?: AbortSignal | undefined
  /** Told before a wait for GitHub's limits of use. */
  readonly onLimit?: ((message: string) => void) | undefined
  readonly record?: RecordExchange | undefined
}

/** GitHub's API, as everything of ours asks it: each answer has a deadline, and limits are waited for within one. */
export async function connectGithub({
  token,
  apiUrl,
  clock = createClock(),
  signal,
  onLimit,
  record,
}: GithubAccess): Promise<ReturnType<typeof getOctokit>> {
  const github = await import('@actions/github')
  const onAnswer = record && recordAnswers(record, apiUrl)
  const fetch = boundedFetch({ clock, onLimit, onAnswer })
  return github.getOctokit(token, {
    baseUrl: apiUrl,
    request: { fetch, ...(signal && { signal }) },
  })
}

/** Every answer that octokit gets, as an exchange below the API's own address. */
function recordAnswers(record: RecordExchange, apiUrl: string): OnAnswer {
  const prefix = new URL(apiUrl).pathname.replace(/\/+$/, '')
  return ({ url, method, body }, { status, headers }, response) =>
    record({
      front: 'github',
      method,
      path: pathBelow(prefix, new URL(url)),
      request: body,
      status,
      headers,
      response,
    })
}

function pathBelow(prefix: string, { pathname, search }: URL): string {
  // An enterprise server has its GraphQL beside its other calls and not below them.
  if (pathname.endsWith('/graphql')) return '/graphql'
  return `${pathname.startsWith(prefix) ? pathname.slice(prefix.length) : pathname}${search}`
}
