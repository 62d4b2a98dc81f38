import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { packRecord, renderRecord } from '../../src/github/comment-body.ts'
import { findApprovals } from '../../src/github/find-approvals.ts'
import { postPlanComment } from '../../src/github/plan-comment.ts'
import { textDigest } from '../../src/lib/canonical-json.ts'
import { makePlan } from '../../src/plan/plan.ts'
import { formatPlanRecord, parsePlanRecord } from '../../src/plan/plan-record.ts'
import type { ClusterRecord } from '../../src/plan/record.ts'
import { type GithubPull, GithubRepository } from '../../src/sandbox/github/github-state.ts'
import { serveGithub } from '../../src/sandbox/github/serve-github.ts'
import { World } from '../../src/sandbox/world.ts'
import { createPatientClock } from '../commands/patient-clock.ts'

let world: World
let repository: GithubRepository
let apiUrl: string
let now = Date.UTC(2026, 10, 28)

beforeEach(async () => {
  world = new World()
  repository = new GithubRepository()
  repository.tokens.set('job', 'write').set('app', 'write')
  repository.people.set('owner', 'admin').set('writer', 'write').set('guest', 'read')
  repository.logins.set('app', { login: 'our-app[bot]', type: 'Bot' })
  const front = await serveGithub(world, { repositories: new Map([['org/clusters', repository]]) })
  apiUrl = front.url
  repository.now = () => now
})

afterEach(async () => {
  await world.close()
  expect(world.contractErrors).toEqual([])
})

const sha = (letter: string) => letter.repeat(40)
const file = { path: '/repository/cluster.yaml', text: 'clusterName: demo' }

/** A plan that makes networks of these names; the comment says so. */
function planOf(clusterName: string, names: readonly string[]) {
  const records = names.map(
    (name): ClusterRecord => ({
      kind: 'network',
      name,
      spec: { cidr: '10.0.0.0/16' },
      needs: [],
    }),
  )
  const changes = records.map((after) => ({
    key: `network/${after.name}` as const,
    action: 'create' as const,
    before: undefined,
    after,
    fields: [],
    reason: 'the cluster has none yet',
    risk: 'additive' as const,
    needs: [],
  }))
  return makePlan({ clusterName, verb: 'apply', changes, desired: records, live: [] })
}

interface Shown {
  readonly cluster?: string
  readonly token?: string
  readonly networks?: readonly string[]
}

/** Shows a plan on a pull request, as its plan job does. */
async function show(
  { number, head }: GithubPull,
  { cluster = 'demo', token = 'job', networks = [`net-${number}`] }: Shown = {},
) {
  const origin = { file: textDigest(file.text), commit: head, toolVersion: '1.0.0' }
  const json = JSON.stringify(formatPlanRecord(planOf(cluster, networks), origin))
  const record = parsePlanRecord(JSON.parse(json))
  if (!record) throw new Error('the record cannot be read')
  return postPlanComment(
    {
      owner: 'org',
      repository: 'clusters',
      pullRequest: number,
      clusterName: cluster,
      body: renderRecord(record),
      record: packRecord(json),
    },
    { token, apiUrl },
  )
}

/** A job that began before it was queued, and comes late. */
async function showWhileQueued(pull: GithubPull) {
  const { enqueuedAt } = pull
  delete pull.enqueuedAt
  await show(pull)
  if (enqueuedAt !== undefined) pull.enqueuedAt = enqueuedAt
}

/** The run of a push looks; the newest commit is the first of the history. */
async function find({
  commit = repository.history[0] ?? '',
  clusterName = 'demo',
  since,
  patient = false,
}: {
  commit?: string
  clusterName?: string
  since?: string
  patient?: boolean
} = {}) {
  const { plans, problems } = await findApprovals(
    {
      apiUrl,
      token: 'job',
      owner: 'org',
      repository: 'clusters',
      commit,
      defaultBranch: 'main',
      folder: '/work',
      clock: createPatientClock(),
      signal: new AbortController().signal,
    },
    {
      clusterName,
      file,
      patient,
      since: since === undefined ? undefined : { appliedCommit: since },
    },
  )
  const found = plans.map(({ pullRequest, record }) => [
    pullRequest,
    ...record.plan.changes.map(({ key }) => key),
  ])
  return { found, problems, plans }
}

const pass = (ms: number) => {
  now += ms
}

/** A pull request whose plan is shown and that is merged as one commit, the newest of main. */
async function merged(number: number, letter: string, shown: Shown = {}): Promise<GithubPull> {
  const pull = repository.openPull(number, sha('a'))
  await show(pull, shown)
  pass(5_000)
  repository.mergePull(pull, sha(letter))
  repository.history.unshift(sha(letter))
  return pull
}

const commentOf = (issue: number) => {
  const comment = repository.comments.find((one) => one.issue === issue)
  if (!comment) throw new Error(`nobody commented on ${issue}`)
  return comment
}

describe('the plan of a merge is found', () => {
  test('after a squash, by the commit that it became', async () => {
    await merged(7, 'b')
    expect(await find()).toMatchObject({ found: [['#7', 'network/net-7']], problems: [] })
  })

  test('after a merge commit, and after a rebase of several', async () => {
    const pull = repository.openPull(7, sha('a'))
    await show(pull)
    pass(1_000)
    repository.mergePull(pull, sha('b'), sha('c'), sha('d'))
    repository.history.unshift(sha('d'), sha('c'), sha('b'))
    expect((await find()).found).toEqual([['#7', 'network/net-7']])
  })

  test('that was once to be by itself, when that was taken back', async () => {
    const pull = repository.openPull(7, sha('a'))
    repository.pressButton(pull, 'AutoSquashEnabledEvent')
    pass(1_000)
    repository.pressButton(pull, 'AutoMergeDisabledEvent')
    await show(pull)
    pass(1_000)
    repository.mergePull(pull, sha('b'))
    repository.history.unshift(sha('b'))
    expect((await find()).found).toEqual([['#7', 'network/net-7']])
  })

  test('that was queued once, when it was taken out and merged by hand', async () => {
    const pull = repository.openPull(7, sha('a'))
    repository.enqueuePull(pull)
    pass(1_000)
    repository.dequeuePull(pull)
    await show(pull)
    pass(1_000)
    repository.mergePull(pull, sha('b'))
    repository.history.unshift(sha('b'))
    expect((await find()).found).toEqual([['#7', 'network/net-7']])
  })

  test('when GitHub has reached a limit or failed a moment ago, which it tells with 200', async () => {
    await merged(7, 'b')
    const limit = { type: 'RATE_LIMITED', message: 'API rate limit exceeded' }
    repository.failures.push(
      [limit],
      [{ message: 'Something went wrong while executing your query.' }],
      [{ type: 'FORBIDDEN', message: 'Resource not accessible by integration' }, limit],
    )
    expect(await find()).toMatchObject({ found: [['#7', 'network/net-7']], problems: [] })
    repository.failures.push([limit], [limit], [limit], [limit])
    expect((await find()).problems).toEqual([expect.stringContaining('GitHub does not list')])
    expect(repository.failures).toEqual([])
  })

  test('of each pull request that came since the last complete apply: a queue, a push of several', async () => {
    repository.history.unshift(sha('0'))
    await merged(7, 'b')
    await merged(8, 'c')
    expect((await find({ since: sha('0') })).found).toEqual([
      ['#8', 'network/net-8'],
      ['#7', 'network/net-7'],
    ])
    expect((await find({ since: sha('b') })).found).toEqual([['#8', 'network/net-8']])
    expect((await find()).found).toEqual([['#8', 'network/net-8']])
  })

  test('for each of two clusters that one push changes', async () => {
    const pull = repository.openPull(7, sha('a'))
    await show(pull, { cluster: 'demo', networks: ['one'] })
    await show(pull, { cluster: 'demo-2', networks: ['two'] })
    repository.mergePull(pull, sha('b'))
    repository.history.unshift(sha('b'))
    expect((await find({ clusterName: 'demo' })).found).toEqual([['#7', 'network/one']])
    expect((await find({ clusterName: 'demo-2' })).found).toEqual([['#7', 'network/two']])
  })

  test('however late GitHub learns which pull request a commit belongs to', async () => {
    await merged(7, 'b')
    repository.lateLookups = 2
    expect((await find()).found).toHaveLength(1)
    repository.lateLookups = 4
    expect((await find()).problems).toEqual([expect.stringContaining('no merged pull request')])
    repository.lateLookups = 4
    expect((await find({ patient: true })).found).toHaveLength(1)
  })

  test('behind pages of other comments', async () => {
    const pull = repository.openPull(7, sha('a'))
    for (let index = 0; index < 230; index++) {
      const author = { login: 'a', type: 'User' } as const
      repository.addComment({ issue: 7, body: `talk ${index}`, author })
    }
    await show(pull)
    repository.mergePull(pull, sha('b'))
    repository.history.unshift(sha('b'))
    expect((await find()).found).toHaveLength(1)
  })

  test('of many changes, as long as all of them are shown', async () => {
    const networks = Array.from({ length: 400 }, (_, index) => `network-${index}`)
    await merged(7, 'b', { networks })
    expect(commentOf(7).body).not.toContain('Cut here')
    expect((await find()).plans[0]?.record.plan.changes).toHaveLength(400)
  })

  test('of the plan that was updated last, by ourselves', async () => {
    const pull = repository.openPull(7, sha('a'))
    await show(pull, { networks: ['first'] })
    pass(5_000)
    await show(pull, { networks: ['second'] })
    pass(5_000)
    repository.mergePull(pull, sha('b'))
    repository.history.unshift(sha('b'))
    expect((await find()).found).toEqual([['#7', 'network/second']])
  })
})

describe('nothing is approved', () => {
  const refused = async (problem: string) => {
    const { found, problems } = await find()
    expect(found).toEqual([])
    expect(problems).toEqual([expect.stringContaining(problem)])
  }

  test('by a push that no pull request brought', async () => {
    repository.history.unshift(sha('b'))
    await refused('no merged pull request')
  })

  test('by a pull request that is open, or was merged elsewhere', async () => {
    const open = repository.openPull(7, sha('b'))
    await show(open)
    const elsewhere = repository.openPull(8, sha('b'), 'release')
    await show(elsewhere)
    repository.mergePull(elsewhere, sha('b'))
    repository.history.unshift(sha('b'))
    await refused('no merged pull request')
  })

  test('by a comment that somebody else wrote, be it with our very text', async () => {
    await merged(7, 'b', { token: 'app' })
    await refused('a comment of our-app[bot]')
    const author = { login: 'a', type: 'User' } as const
    const { body } = commentOf(7)
    repository.comments.splice(0)
    repository.addComment({ issue: 7, body, author })
    await refused('a comment of a')
  })

  test('by a comment that somebody edited, whoever wrote it', async () => {
    await merged(7, 'b')
    const comment = commentOf(7)
    repository.editComment(comment, comment.body, { login: 'mallory', type: 'User' })
    await refused('edited by mallory')
    repository.editComment(comment, comment.body, { login: 'github-actions', type: 'User' })
    await refused('edited by github-actions')
    delete comment.editor
    await refused('edited by somebody who is gone')
  })

  test('by a comment that was written or changed after the merge', async () => {
    const pull = await merged(7, 'b')
    const comment = commentOf(7)
    pass(60_000)
    repository.editComment(comment, comment.body, { login: 'github-actions[bot]', type: 'Bot' })
    await refused('after it was merged')
    // Our own plan jobs leave it alone by then.
    expect(await show(pull)).toMatchObject({ posted: false })
  })

  test.each(['AutoMergeEnabledEvent', 'AutoSquashEnabledEvent', 'AutoRebaseEnabledEvent'] as const)(
    'by a plan that came after it was set to merge automatically (%s), until somebody approves that',
    async (type) => {
      const pull = repository.openPull(7, sha('a'))
      await show(pull)
      pass(1_000)
      repository.approvePull(pull, 'owner')
      repository.pressButton(pull, type)
      const merge = () => {
        pass(1_000)
        repository.mergePull(pull, sha('b'))
        repository.history.splice(0, Number.POSITIVE_INFINITY, sha('b'))
      }
      merge()
      expect((await find()).found).toEqual([['#7', 'network/net-7']])
      delete pull.mergedAt
      pass(1_000)
      await show(pull, { networks: ['moved'] })
      pass(1_000)
      // Who may only read, however he belongs here, and an app that may write look at nothing for us.
      for (const login of ['guest', 'stranger']) repository.approvePull(pull, login)
      repository.approvePull(pull, 'writer', 'Bot')
      merge()
      await refused('its plan was written after it was set to merge automatically')
      pass(1_000)
      repository.approvePull(pull, 'writer')
      await refused('its plan was written after it was set to merge automatically')
      delete pull.mergedAt
      merge()
      expect((await find()).found).toEqual([['#7', 'network/moved']])
    },
  )

  test('by a plan that came after it was queued, also once it is merged', async () => {
    const pull = repository.openPull(7, sha('a'))
    await show(pull)
    pass(1_000)
    repository.enqueuePull(pull)
    pass(1_000)
    const comment = commentOf(7)
    repository.editComment(comment, comment.body, { login: 'github-actions[bot]', type: 'Bot' })
    pass(1_000)
    repository.mergePull(pull, sha('b'))
    repository.history.unshift(sha('b'))
    await refused('its plan was written after it was queued')
    repository.hidesQueue = true
    await refused('GitHub does not report who decided its merge')
  })

  test.each([
    ['by being merged, a moment before that counted', 'merged', 1_000],
    ['in words that say nothing', '', 1_000],
    ['as it was merged', 'manual', 0],
  ])('by a plan that came after it was queued, which it left %s', async (_, reason, later) => {
    const pull = repository.openPull(7, sha('a'))
    repository.enqueuePull(pull)
    pass(1_000)
    repository.dequeuePull(pull, 'failed_checks')
    pass(1_000)
    repository.enqueuePull(pull)
    pass(1_000)
    await showWhileQueued(pull)
    pass(1_000)
    repository.dequeuePull(pull, reason)
    pass(later)
    repository.mergePull(pull, sha('b'))
    repository.history.unshift(sha('b'))
    await refused('its plan was written after it was queued')
  })

  test.each([
    { type: 'INSUFFICIENT_SCOPES', message: 'Your token has not been granted the required scopes' },
    {
      message: "Argument 'itemTypes' on Field 'timelineItems' has an invalid value",
      extensions: { code: 'argumentLiteralsIncompatible' },
    },
    {
      message: "No such type RemovedFromMergeQueueEvent, so it can't be a fragment condition",
      extensions: { code: 'undefinedType' },
    },
    {
      message: "Field 'reviews' doesn't exist on type 'PullRequest'",
      extensions: { code: 'undefinedField' },
    },
    { message: "Field 'reviews' doesn't exist on type 'PullRequest'" },
  ])('where GitHub will not tell, however often it is asked (%o)', async (error) => {
    await merged(7, 'b')
    repository.failures.push([error])
    await refused('GitHub does not report who decided its merge')
  })

  test('by a comment that shows something else than it records', async () => {
    await merged(7, 'b', { networks: ['shown'] })
    const comment = commentOf(7)
    const whole = comment.body
    for (const forged of [
      whole.replace('network shown', 'network other'),
      whole.replace('| additive |', '| live |'),
      `${whole.slice(0, whole.lastIndexOf('\n'))}\nApproved by the team.${whole.slice(whole.lastIndexOf('\n'))}`,
      whole.replace(/\n\n<!-- hcloud/, '\n\n<details>\n\n<!-- hcloud'),
    ]) {
      expect(forged).not.toBe(whole)
      comment.body = forged
      await refused('what its comment shows')
    }
    const swapped = JSON.stringify(
      formatPlanRecord(planOf('demo', ['hidden']), {
        file: textDigest(file.text),
        commit: sha('a'),
        toolVersion: '1.0.0',
      }),
    )
    comment.body = whole.replace(/<!-- hcloud-talos:record.*$/, packRecord(swapped))
    await refused('what its comment shows')
  })

  test('by a record that is none, of another cluster, or a bomb', async () => {
    await merged(7, 'b')
    const comment = commentOf(7)
    const withLine = (line: string) => comment.body.replace(/<!-- hcloud-talos:record.*$/, line)
    const other = formatPlanRecord(planOf('demo-2', []), {
      file: textDigest(file.text),
      commit: sha('a'),
      toolVersion: '1.0.0',
    })
    for (const line of [
      '',
      '<!-- hcloud-talos:record:1:AAAA -->',
      packRecord('{}'),
      packRecord(JSON.stringify({ ...other, clusterName: 'demo', more: 1 })),
      packRecord(JSON.stringify(other)),
      packRecord(`"${'a'.repeat(9_000_000)}"`),
    ]) {
      comment.body = withLine(line)
      await refused('no plan that can be read')
    }
  })

  test.each([
    ['whose text had to be cut', (index: number) => `network-${index}`],
    ['whose record alone is too large', (index: number) => textDigest(String(index))],
  ])(
    'by a plan %s: what nobody was shown, nobody approves, and its comment says so',
    async (_, nameOf) => {
      const networks = Array.from({ length: 1_500 }, (_each, index) => nameOf(index))
      await merged(7, 'b', { networks })
      expect(commentOf(7).body).toContain('Cut here')
      expect(commentOf(7).body).toContain('Merging this approves nothing')
      await refused('too large')
    },
  )

  test('by a commit that is not the newest, once its file was applied', async () => {
    await merged(7, 'b')
    repository.history.unshift(sha('c'))
    const { found, problems } = await find({ commit: sha('b') })
    expect([found, problems]).toEqual([[], [expect.stringContaining('newer commits')]])
  })

  test('when GitHub does not answer, or may not', async () => {
    await merged(7, 'b')
    repository.tokens.delete('job')
    await refused('does not list pull requests and comments (401)')
    world.cutAfter(0)
    await refused('does not list pull requests and comments')
  })
})
