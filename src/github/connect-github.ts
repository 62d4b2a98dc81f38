import type { getOctokit } from '@actions/github'
import { type Clock, createClock } from '../lib/clock.ts'
import { boundedFetch } from './bounded-fetch.ts'

export interface GithubAccess {
  readonly token: string
  /** `https://api.github.com`, or another server's. */
  readonly apiUrl: string
  readonly clock?: Clock | undefined
  /** Told before a wait for GitHub's limits of use. */
  readonly onLimit?: ((message: string) => void) | undefined
}

/** GitHub's API, as everything of ours asks it: each answer has a deadline, and limits are waited for within one. */
export async function connectGithub({
  token,
  apiUrl,
  clock = createClock(),
  onLimit,
}: GithubAccess): Promise<ReturnType<typeof getOctokit>> {
  const github = await import('@actions/github')
  const fetch = boundedFetch({ clock, onLimit })
  return github.getOctokit(token, { baseUrl: apiUrl, request: { fetch } })
}
