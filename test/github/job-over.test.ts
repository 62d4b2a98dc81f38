import { afterAll, beforeAll, expect, test } from 'vitest'
import { isJobOver } from '../../src/github/run-status.ts'
import { type GithubJob, GithubRepository } from '../../src/sandbox/github/github-state.ts'
import { serveGithub } from '../../src/sandbox/github/serve-github.ts'
import { World } from '../../src/sandbox/world.ts'

const repository = new GithubRepository()
repository.tokens.set('token', 'write')
const world = new World()
let apiUrl: string
beforeAll(async () => {
  apiUrl = (await serveGithub(world, { repositories: new Map([['org/cluster', repository]]) })).url
})
afterAll(() => world.close())

const job = (
  id: number,
  status: GithubJob['status'],
  more: Partial<GithubJob> = {},
): GithubJob => ({
  ...{ id, attempt: 1, name: 'Apply', status, runner: `runner-${id}` },
  conclusion: status === 'completed' ? 'cancelled' : null,
  ...more,
})

/** Whether a job of run 7 is over. */
function ask(run: string, more: { attempt?: number; runner?: string; token?: string } = {}) {
  const { attempt = 1, runner, token = 'token' } = more
  const owner = { run, attempt, job: { name: 'apply', runner } }
  return isJobOver(owner, { apiUrl, token, owner: 'org', repository: 'cluster' })
}

test('a job is over when it has ended, whatever became of its run', async () => {
  const jobs = [job(1, 'completed'), job(2, 'in_progress'), job(3, 'waiting', { runner: null })]
  repository.runs.set(7, { status: 'waiting', conclusion: null, jobs })
  expect(await ask('gh-7-1-apply')).toBe(true)
  expect(await ask('gh-7-2-clean-up')).toBe(false)
})

test('a job without an id is known by its runner; one of several is over when all of them are', async () => {
  const jobs = [
    job(1, 'completed', { runner: 'own' }),
    job(2, 'in_progress'),
    job(3, 'completed', { runner: 'own' }),
  ]
  repository.runs.set(7, { status: 'in_progress', conclusion: null, jobs })
  expect(await ask('gh-7-apply', { runner: 'own' })).toBe(true)
  expect(await ask('gh-7-apply', { runner: 'runner-2' })).toBe(false)
  const again = [...jobs, job(4, 'in_progress', { runner: 'own' })]
  repository.runs.set(7, { status: 'in_progress', conclusion: null, jobs: again })
  expect(await ask('gh-7-apply', { runner: 'own' })).toBe(false)
})

test('only the attempt counts that the lock is of', async () => {
  const jobs = [job(1, 'completed'), job(2, 'in_progress', { attempt: 2, runner: 'runner-1' })]
  repository.runs.set(7, { status: 'in_progress', conclusion: null, jobs })
  expect(await ask('gh-7-apply', { runner: 'runner-1' })).toBe(true)
  expect(await ask('gh-7-apply', { attempt: 2, runner: 'runner-1' })).toBe(false)
})

test('a job is found on whichever page it stands', async () => {
  const jobs = Array.from({ length: 230 }, (_, index) =>
    job(index + 1, index === 222 ? 'completed' : 'in_progress'),
  )
  repository.runs.set(7, { status: 'in_progress', conclusion: null, jobs })
  expect(await ask('gh-7-223-apply')).toBe(true)
  expect(await ask('gh-7-230-apply')).toBe(false)
})

test('where no job fits, a run that has ended is proof, and one that goes on is none', async () => {
  repository.runs.set(7, { status: 'completed', conclusion: 'success' })
  expect(await ask('gh-7-apply')).toBe(true)
  repository.runs.set(7, { status: 'in_progress', conclusion: null, jobs: [job(1, 'completed')] })
  expect(await ask('gh-7-apply', { runner: 'elsewhere' })).toBeUndefined()
  expect(await ask('gh-7-99-apply')).toBeUndefined()
})

test('nothing is known of other names, of runs that are not there, and without a right to ask', async () => {
  expect(await ask('terminal-00000000-7-1')).toBeUndefined()
  expect(await ask('gh-8-1-apply')).toBeUndefined()
  expect(await ask('gh-7-1-apply', { token: '' })).toBeUndefined()
  expect(await ask('gh-7-1-apply', { token: 'wrong' })).toBeUndefined()
})
