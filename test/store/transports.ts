import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createRepositoryApi } from '../../src/github/repository-api.ts'
import { systemRandom } from '../../src/lib/random.ts'
import { serveGit } from '../../src/sandbox/git/serve-git.ts'
import { GitObjects } from '../../src/sandbox/github/git-objects.ts'
import { GithubRepository } from '../../src/sandbox/github/github-state.ts'
import { serveGithub } from '../../src/sandbox/github/serve-github.ts'
import { World } from '../../src/sandbox/world.ts'
import type { OpenStoreOptions } from '../../src/store/open-store.ts'
import { afterTest, fastClock, git, makeFolder, makeRemote } from './state-fixture.ts'

/** A repository that is reached in one of the ways there are. */
export interface Reached {
  /** The bare repository itself, for looking at it. */
  readonly remote: string
  /** What a store needs in order to reach it. */
  readonly options: Partial<OpenStoreOptions> & { readonly remote: string }
  /** The next answer to a write is lost after its effect. */
  loseNextAnswer(): Promise<void>
}

const path = process.env['PATH'] ?? ''

/** What GitHub says to a push that a ruleset forbids; [X] facts/github.md 33c. */
export const refusePushes = `#!/bin/sh
echo 'error: GH013: Repository rule violations found for refs/heads/hcloud-talos.' >&2
exit 1
`

async function reachByFile(): Promise<Reached> {
  const remote = await makeRemote()
  return { remote, options: { remote }, loseNextAnswer: () => dieOnce(remote) }
}

async function reachByHttp(): Promise<Reached> {
  const remote = await makeRemote()
  await git(remote, 'config', 'uploadpack.allowFilter', 'true')
  let lost = 0
  const server = await serveGit({
    root: join(remote, '..'),
    users: { writer: { password: 'right-password', access: 'write' } },
    path,
    losesReply: () => lost-- > 0,
  })
  afterTest(() => server.close())
  const credentials = { username: 'writer', password: 'right-password' }
  return {
    remote,
    options: { remote: `${server.url}/state.git`, credentials },
    loseNextAnswer: async () => {
      lost = 1
    },
  }
}

/** A program in the place of ssh that runs what it is asked for here: git's side of the protocol is the real one. */
async function reachBySsh(): Promise<Reached> {
  const remote = await makeRemote()
  const ssh = join(await makeFolder(), 'ssh')
  const script = '#!/bin/sh\nwhile [ "$1" != somewhere.example ]; do shift; done\nexec sh -c "$2"\n'
  await writeFile(ssh, script, { mode: 0o755 })
  return {
    remote,
    options: {
      remote: `ssh://somewhere.example${remote}`,
      repository: 'org/clusters',
      environment: { ...process.env, GIT_SSH_COMMAND: ssh, GIT_SSH_VARIANT: 'ssh' },
    },
    loseNextAnswer: () => dieOnce(remote),
  }
}

/** A repository of the simulated GitHub that takes no pushes. */
async function reachByApi(): Promise<Reached> {
  const { remote, world, api } = await makeGithub()
  await writeFile(join(remote, 'hooks', 'pre-receive'), refusePushes, { mode: 0o755 })
  return {
    remote,
    options: { remote, api },
    loseNextAnswer: async () => {
      world.faults.inject({ kind: 'drop-after', front: 'github', route: 'POST /graphql' })
    },
  }
}

/** A simulated GitHub over a bare repository, and its API for somebody who may write. */
export async function makeGithub(token = 'writer') {
  const remote = await makeRemote()
  const world = new World()
  afterTest(async () => {
    await world.close()
    if (world.contractErrors.length > 0) throw new Error(world.contractErrors.join('\n'))
  })
  const repository = new GithubRepository(new GitObjects(remote, path))
  repository.tokens.set('writer', 'write').set('reader', 'read')
  const front = await serveGithub(world, { repositories: new Map([['org/clusters', repository]]) })
  const place = { owner: 'org', repository: 'clusters', clock: fastClock, random: systemRandom }
  const api = createRepositoryApi({ token, apiUrl: front.url, ...place })
  return { remote, world, api, apiUrl: front.url }
}

/** The remote takes what is pushed next, and dies before it says so. */
async function dieOnce(remote: string): Promise<void> {
  const flag = 'post-receive-died'
  const script = `#!/bin/sh\n[ -e ${flag} ] || { touch ${flag}; kill -9 $PPID; }\n`
  await writeFile(join(remote, 'hooks', 'post-receive'), script, { mode: 0o755 })
}

/** Every way to a repository. */
export const transports: readonly (readonly [string, () => Promise<Reached>])[] = [
  ['a push to a folder', reachByFile],
  ['a push over HTTP', reachByHttp],
  ['a push over SSH', reachBySsh],
  ['the API of GitHub, where pushes are refused', reachByApi],
]
