import { relative, resolve } from 'node:path'
import type { getOctokit } from '@actions/github'
import type { Clock } from '../lib/clock.ts'
import { systemRandom } from '../lib/random.ts'
import { retry } from '../lib/retry.ts'
import type { ApprovalQuery, FoundApprovals, ShownPlan } from '../run/approval.ts'
import type { GithubPlace } from '../run/github-place.ts'
import { commentMarker, readBody } from './comment-body.ts'
import { connectGithub } from './connect-github.ts'
import { githubTries } from './github-tries.ts'
import { ownLogin } from './own-login.ts'
import { readQueueEntry } from './queue-entry.ts'
import { queuedPulls } from './queued-pulls.ts'
import { readMergeDecision } from './read-merge-decision.ts'

type Octokit = ReturnType<typeof getOctokit>

export interface ApprovalPlace extends GithubPlace {
  /** The commit that the run is of. */
  readonly commit: string
  readonly defaultBranch: string
  /** The ref of a group of the merge queue, where nothing is merged yet. */
  readonly queue?: string | undefined
  /** Where the repository is checked out. */
  readonly folder: string
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** How long GitHub may take to know a pushed commit's pull request, in milliseconds from try to try. */
const patience = {
  patient: [2_000, 4_000, 8_000, 16_000, 30_000],
  brief: [1_000, 3_000],
  none: [],
} as const

/** How far back merges are looked for, and how many pull requests are read. */
const mostCommits = 50
const mostPulls = 20

interface Pull {
  readonly number: number
  /** By whose press of a button its plan is approved. */
  readonly by: 'merged' | 'queued'
  /** When that was; what is written later was not seen then. Undefined where GitHub does not report it. */
  readonly at: number | undefined
  readonly head: string
}

/**
 * The plans on the pull requests that were merged with the commit of a run, or since the last complete apply; for a
 * group of a merge queue, also on those that are about to be merged. Each is
 * believed as far as its comment is our own, was last written by ourselves and before a person decided the merge, and shows to people what it records. Nothing is thrown: what cannot be found is a problem that is named.
 */
export async function findApprovals(
  place: ApprovalPlace,
  query: ApprovalQuery,
): Promise<FoundApprovals> {
  try {
    const octokit = await connectGithub(place)
    const { clock, signal } = place
    return await retry(() => search(octokit, place, query), githubTries, {
      clock,
      signal,
      random: systemRandom,
    })
  } catch (error) {
    place.signal.throwIfAborted()
    const status = error instanceof Error && 'status' in error ? ` (${String(error.status)})` : ''
    return { plans: [], problems: [`GitHub does not list pull requests and comments${status}`] }
  }
}

async function search(
  octokit: Octokit,
  place: ApprovalPlace,
  query: ApprovalQuery,
): Promise<FoundApprovals> {
  const queued = await queuedOf(octokit, place)
  const commits = await commitsOf(octokit, place, query)
  if (commits.length === 0 && place.queue === undefined) {
    return { plans: [], problems: [`${place.defaultBranch} has newer commits than this run`] }
  }
  const merged = await pullsOf(octokit, place, commits, {
    patience: place.queue !== undefined ? 'none' : query.patient ? 'patient' : 'brief',
  })
  const pulls = [...queued, ...merged]
  if (pulls.length === 0) {
    const kind = place.queue === undefined ? 'merged' : 'queued'
    return {
      plans: [],
      problems: [`GitHub knows no ${kind} pull request of ${short(place.commit)}`],
    }
  }
  const login = await ownLogin(octokit)
  const read = await Promise.all(
    pulls.slice(0, mostPulls).map((pull) => readShown(octokit, place, { ...query, pull, login })),
  )
  return {
    plans: read.filter((one) => typeof one !== 'string'),
    problems: read.filter((one) => typeof one === 'string'),
  }
}

/**
 * The commits whose pull requests count: that of the run and, since the last complete apply of another file, those
 * after it. A run of an older commit than the newest counts for itself only while its file waits to be applied.
 */
async function commitsOf(
  octokit: Octokit,
  { owner, repository: repo, commit, defaultBranch: sha, folder, queue }: ApprovalPlace,
  { since, file }: ApprovalQuery,
): Promise<string[]> {
  const own = queue === undefined ? [commit] : []
  const newest = await octokit.rest.repos.listCommits({ owner, repo, sha, per_page: mostCommits })
  const all = newest.data.map((one) => one.sha)
  if (!since) return all[0] === commit ? own : []
  const end = all.indexOf(since.appliedCommit ?? '')
  if (end >= 0) return [...new Set([...own, ...all.slice(0, end)])]
  const path = relative(resolve(folder), resolve(file.path))
  const touching = await octokit.rest.repos.listCommits({ owner, repo, sha, path, per_page: 1 })
  return [...new Set([...own, ...touching.data.map((one) => one.sha)])]
}

/** What a merge queue is about to merge before and with this group. */
async function queuedOf(octokit: Octokit, place: ApprovalPlace): Promise<Pull[]> {
  if (place.queue === undefined) return []
  const queued = await queuedPulls(octokit, { ...place, ref: place.queue })
  return Promise.all(
    queued.map(async ({ number, head, mergedAt }): Promise<Pull> => {
      if (mergedAt !== undefined) return { number, head, by: 'merged', at: mergedAt }
      const entry = await readQueueEntry(octokit, { ...place, number })
      const at = typeof entry === 'object' ? entry.enqueuedAt : undefined
      return { number, head, by: 'queued', at }
    }),
  )
}

async function pullsOf(
  octokit: Octokit,
  place: ApprovalPlace,
  commits: readonly string[],
  options: { readonly patience: keyof typeof patience },
): Promise<Pull[]> {
  const waits: number[] = [...patience[options.patience]]
  for (;;) {
    const found = (
      await Promise.all(commits.map((sha) => pullsOfCommit(octokit, place, sha)))
    ).flat()
    const wait = found.length > 0 ? undefined : waits.shift()
    if (wait === undefined) return [...new Map(found.map((pull) => [pull.number, pull])).values()]
    await place.clock.sleep(wait, place.signal)
  }
}

/** A commit is known to open pull requests, and to those of other branches, too. */
async function pullsOfCommit(
  octokit: Octokit,
  { owner, repository: repo, defaultBranch }: ApprovalPlace,
  commit_sha: string,
): Promise<Pull[]> {
  const { data } = await octokit.rest.repos.listPullRequestsAssociatedWithCommit({
    owner,
    repo,
    commit_sha,
    per_page: 100,
  })
  return data.flatMap(({ number, merged_at, base, head }) =>
    merged_at === null || base.ref !== defaultBranch || base.repo.full_name !== `${owner}/${repo}`
      ? []
      : [{ number, by: 'merged', at: Date.parse(merged_at), head: head.sha }],
  )
}

interface Writing {
  readonly body: string
  readonly createdAt: string
  readonly lastEditedAt: string | null
  readonly author: Actor | null
  readonly editor: Actor | null
}

interface Actor {
  readonly __typename: string
  readonly login: string
}

const writingOf = `query ($id: ID!) {
  node(id: $id) { ... on IssueComment {
    body createdAt lastEditedAt author { __typename login } editor { __typename login }
  } }
}`

async function readShown(
  octokit: Octokit,
  { owner, repository: repo }: ApprovalPlace,
  { clusterName, pull, login }: ApprovalQuery & { readonly pull: Pull; readonly login: string },
): Promise<ShownPlan | string> {
  const { number } = pull
  const pullRequest = `#${number}`
  const refused = (why: string) => `${pullRequest}: ${why}`
  const issue = { owner, repo, issue_number: number, per_page: 100 }
  const comments = await octokit.paginate(octokit.rest.issues.listComments, issue)
  const marked = comments.filter(({ body }) => body?.startsWith(commentMarker(clusterName)))
  const own = marked.find(({ user }) => user?.login === login)
  if (!own) {
    const [other] = marked
    return refused(
      other
        ? `its plan is a comment of ${other.user?.login ?? 'nobody'}, and this run is ${login}`
        : `it has no plan of ${clusterName}`,
    )
  }
  // One answer has the text and who wrote it: REST does not report editors.
  const { node } = await octokit.graphql<{ node: Writing | null }>(writingOf, { id: own.node_id })
  if (!node || loginOf(node.author) !== login) return refused('its plan is gone')
  if (node.lastEditedAt !== null && loginOf(node.editor) !== login) {
    return refused(`its plan was edited by ${node.editor?.login ?? 'somebody who is gone'}`)
  }
  const { at } = pull
  if (at === undefined) return refused('GitHub does not report since when it is queued')
  const decision = await readMergeDecision(
    octokit,
    { owner, repository: repo, number },
    { ...pull, at },
  )
  if (!decision) return refused('GitHub does not report who decided its merge, and when')
  if (!(Date.parse(node.lastEditedAt ?? node.createdAt) <= decision.at)) {
    return refused(`its plan was written after it was ${decision.by}`)
  }
  const record = readBody(node.body, clusterName)
  if (typeof record === 'string') return refused(record)
  return { record, pullRequest, isNewest: record.commit === pull.head }
}

/** GraphQL leaves the end of a bot's login out. */
function loginOf(actor: Actor | null): string | undefined {
  if (!actor) return undefined
  return actor.__typename === 'Bot' ? `${actor.login}[bot]` : actor.login
}

function short(commit: string): string {
  return commit.slice(0, 12)
}
