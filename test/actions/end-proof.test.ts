import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endProof } from '../../src/actions/end-proof.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { nameProcess } from '../../src/run/process-name.ts'
import { GithubRepository } from '../../src/sandbox/github/github-state.ts'
import { serveGithub } from '../../src/sandbox/github/serve-github.ts'
import { World } from '../../src/sandbox/world.ts'

const world = new World()
const repository = new GithubRepository()
let apiUrl: string
/** Of a process of this machine that has ended; a copy of the machine has the same names. */
let dead: string

beforeAll(async () => {
  repository.tokens.set('token', 'write')
  const jobs = ['here', 'there'].map((runner, index) => ({
    ...{ id: index + 1, attempt: 1, name: `Apply (${runner})`, runner },
    ...({ status: 'in_progress', conclusion: null } as const),
  }))
  repository.runs.set(7, { status: 'in_progress', conclusion: null, jobs })
  apiUrl = (await serveGithub(world, { repositories: new Map([['org/cluster', repository]]) })).url
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'close')
  dead = await nameProcess(child.pid ?? 0, seededRandom(1))
})
afterAll(async () => {
  await world.close()
  expect(world.contractErrors).toEqual([])
})

/** What this job, on the runner `here`, can prove of a holder of the same name on another runner. */
function ask(runner: string, attempt = 1) {
  const self = { run: 'gh-7-apply', attempt: 1, job: { name: 'apply', runner: 'here' } }
  const isRunOver = endProof(self, { apiUrl, token: 'token', owner: 'org', repository: 'cluster' })
  return isRunOver({ ...self, attempt, job: { name: 'apply', runner }, process: dead })
}

test('a step of our own job is over when its process has ended', async () => {
  expect(await ask('here')).toBe(true)
})

test('a leg of our matrix on another runner goes on while its job does, whatever its process is called', async () => {
  expect(await ask('there')).toBe(false)
  expect(await ask('elsewhere')).toBeUndefined()
})
