import type { getOctokit } from '@actions/github'

type Octokit = ReturnType<typeof getOctokit>

/** Who a token of a job speaks as, where a server cannot tell. */
const jobLogin = 'github-actions[bot]'

/** The login that a token comments under, as comments have it: `github-actions[bot]`, an app's, or somebody's. */
export async function ownLogin(octokit: Octokit): Promise<string> {
  try {
    const { viewer } = await octokit.graphql<{ viewer: { login: string } }>(
      'query { viewer { login } }',
    )
    return viewer.login
  } catch {
    return jobLogin
  }
}
