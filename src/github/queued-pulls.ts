import type { getOctokit } from '@actions/github'

type Octokit = ReturnType<typeof getOctokit>

/** A group of a merge queue, for whose sake a run plans. */
export interface QueuePlace {
  readonly owner: string
  readonly repository: string
  /** Into which the group is to be merged. */
  readonly defaultBranch: string
  /** What the branch would be after the merge. */
  readonly commit: string
  /** The group's own ref: `refs/heads/gh-readonly-queue/main/pr-12-…`. */
  readonly ref: string
}

export interface QueuedPull {
  readonly number: number
  readonly head: string
  /** Where it was merged since the group was made. */
  readonly mergedAt: number | undefined
}

/** The pull requests that a merge of this group brings: its own, and those ahead of it in the queue. */
export async function queuedPulls(
  octokit: Octokit,
  { owner, repository: repo, defaultBranch, commit, ref }: QueuePlace,
): Promise<QueuedPull[]> {
  const prefix = `heads/gh-readonly-queue/${defaultBranch}/pr-`
  const [entries, { data: comparison }] = await Promise.all([
    octokit.paginate(octokit.rest.git.listMatchingRefs, { owner, repo, ref: prefix }),
    octokit.rest.repos.compareCommitsWithBasehead({
      owner,
      repo,
      basehead: `${defaultBranch}...${commit}`,
    }),
  ])
  const ahead = new Set([commit, ...comparison.commits.map(({ sha }) => sha)])
  const names = entries.filter(({ object }) => ahead.has(object.sha)).map((entry) => entry.ref)
  const numbers = [...names, ref].flatMap((name) => numberIn(name, `refs/${prefix}`))
  const pulls = await Promise.all(
    [...new Set(numbers)].map((pull_number) =>
      octokit.rest.pulls.get({ owner, repo, pull_number }),
    ),
  )
  return pulls
    .filter(({ data: { base } }) => base.ref === defaultBranch)
    .map(({ data: { number, head, merged_at } }) => ({
      number,
      head: head.sha,
      mergedAt: merged_at === null ? undefined : Date.parse(merged_at),
    }))
}

function numberIn(ref: string, prefix: string): number[] {
  const number = ref.startsWith(prefix) ? Number.parseInt(ref.slice(prefix.length), 10) : 0
  return number > 0 ? [number] : []
}
