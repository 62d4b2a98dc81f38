import { afterAll, beforeAll, describe, expect } from 'vitest'
import { GithubRepository } from '../../src/sandbox/github/github-state.ts'
import { serveGithub } from '../../src/sandbox/github/serve-github.ts'
import { World } from '../../src/sandbox/world.ts'
import { apiCall } from './api-call.ts'
import { type ContractIssue, githubContract } from './github-contract.ts'

/** `owner/name/number` of an issue to be commented on, with GITHUB_TOKEN: GitHub itself is then asked the same. */
const [owner = '', name = '', number] = (process.env['HCLOUD_TALOS_CONTRACT_ISSUE'] ?? '').split(
  '/',
)

describe("The sandbox's GitHub", () => {
  let world: World
  let issue: ContractIssue
  beforeAll(async () => {
    world = new World()
    const repository = new GithubRepository()
    repository.tokens.set('writer', 'write')
    const newest = 'b'.repeat(40)
    repository.history.push(newest, 'a'.repeat(40))
    repository.mergePull(repository.openPull(3, newest), newest)
    const { url } = await serveGithub(world, {
      repositories: new Map([['org/clusters', repository]]),
    })
    const [call, asStranger] = [apiCall(url, 'writer'), apiCall(url, 'nobody')]
    issue = { owner: 'org', name: 'clusters', number: 7, call, asStranger }
  })
  afterAll(async () => {
    await world.close()
    expect(world.contractErrors).toEqual([])
  })
  githubContract(() => issue)
})

describe.runIf(number)('GitHub', () => {
  const url = 'https://api.github.com'
  const call = apiCall(url, process.env['GITHUB_TOKEN'] ?? '')
  githubContract(() => ({
    ...{ owner, name, number: Number(number), call },
    asStranger: apiCall(url, 'nobody'),
  }))
})
