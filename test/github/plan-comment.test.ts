import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { postPlanComment } from '../../src/github/plan-comment.ts'
import { GithubRepository } from '../../src/sandbox/github/github-state.ts'
import { serveGithub } from '../../src/sandbox/github/serve-github.ts'
import { World } from '../../src/sandbox/world.ts'
import { createPatientClock } from '../commands/patient-clock.ts'

let world: World
let repository: GithubRepository
let apiUrl: string

beforeEach(async () => {
  world = new World()
  repository = new GithubRepository()
  repository.tokens.set('writer', 'write').set('reader', 'read')
  const front = await serveGithub(world, { repositories: new Map([['org/clusters', repository]]) })
  apiUrl = front.url
})

afterEach(async () => {
  await world.close()
  expect(world.contractErrors).toEqual([])
})

function post(body: string, token = 'writer', clusterName = 'demo') {
  const clock = createPatientClock()
  const comment = { owner: 'org', repository: 'clusters', pullRequest: 7, clusterName, body }
  return postPlanComment(comment, { token, apiUrl, clock })
}

describe('the comment on a pull request', () => {
  test('is made once and replaced from then on', async () => {
    expect(await post('the first plan')).toMatchObject({ posted: 'created' })
    expect(await post('the second plan')).toMatchObject({ posted: 'updated' })
    expect(repository.comments).toHaveLength(1)
    expect(repository.comments[0]?.body).toContain('the second plan')
  })

  test('of a queued pull request stays as it is, also when GitHub first fails to tell that it is queued', async () => {
    const pull = repository.openPull(7, 'a'.repeat(40))
    await post('the first plan')
    repository.enqueuePull(pull)
    repository.failures.push([{ message: 'Something went wrong while executing your query.' }])
    const reason = expect.stringContaining('in the merge queue')
    expect(await post('the second plan')).toEqual({ posted: false, reason })
    const limits = Array.from({ length: 4 }, () => [
      { type: 'RATE_LIMITED', message: 'API rate limit exceeded' },
    ])
    repository.failures.push(...limits)
    const limited = expect.stringContaining('limits how often it is asked, for longer')
    expect(await post('the second plan')).toEqual({ posted: false, reason: limited })
    expect(repository.comments[0]?.body).toContain('the first plan')
  })

  test('each cluster has its own', async () => {
    await post('one', 'writer', 'demo')
    await post('two', 'writer', 'demo-2')
    expect(repository.comments.map((comment) => comment.issue)).toEqual([7, 7])
  })

  test('is found behind more than a page of others', async () => {
    await post('mine')
    for (let index = 0; index < 130; index++) {
      repository.addComment({
        issue: 7,
        body: `talk ${index}`,
        author: { login: 'a', type: 'User' },
      })
    }
    repository.comments.push(...repository.comments.splice(0, 1))
    expect(await post('again')).toMatchObject({ posted: 'updated' })
  })

  test('somebody who quotes the marker keeps their words', async () => {
    const quote = '<!-- hcloud-talos:plan:demo -->\nlook at this'
    repository.addComment({ issue: 7, body: quote, author: { login: 'a', type: 'User' } })
    await post('mine')
    expect(repository.comments.map((comment) => comment.body)).toContain(quote)
    expect(repository.comments).toHaveLength(2)
  })

  test('that is longer than GitHub takes is cut, not lost', async () => {
    const result = await post('a line of the plan\n'.repeat(10_000))
    expect(result).toMatchObject({ posted: 'created' })
    expect(repository.comments[0]?.body).toContain('Cut here')
  })

  test('a token that may not write is told in one line with the permission to give', async () => {
    const result = await post('mine', 'reader')
    expect(result).toMatchObject({
      posted: false,
      reason: expect.stringContaining('pull-requests: write'),
    })
  })

  test('a GitHub that fails, or is not there, is told and not thrown', async () => {
    world.faults.inject({ kind: 'bad-gateway', front: 'github', times: 10 })
    expect(await post('mine')).toMatchObject({ posted: false })
    world.cutAfter(0)
    expect(await post('mine')).toMatchObject({ posted: false })
  })
})
