import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { serveCharts } from './charts/serve-charts.ts'
import { serveFactory } from './factory/serve-factory.ts'
import { createBareRepository } from './git/create-bare-repository.ts'
import { serveGit } from './git/serve-git.ts'
import { GitObjects } from './github/git-objects.ts'
import { GithubRepository } from './github/github-state.ts'
import { serveGithub } from './github/serve-github.ts'
import { sandboxTokens, serveHetzner } from './hetzner/api/serve-hetzner.ts'
import { serveIpLookup } from './ip-lookup/serve-ip-lookup.ts'
import { readRepository, readStateBranch } from './judge/read-state-branch.ts'
import { SimKubernetes } from './kubernetes/sim-kubernetes.ts'
import type { NodeKind } from './node-kind.ts'
import { rescueGuest } from './rescue/rescue-guest.ts'
import { stockGuest } from './stock-guest.ts'
import { serveStorage, storageAccount } from './storage/serve-storage.ts'
import { createTalosGuest } from './talos/create-talos-guest.ts'
import { World, type WorldOptions } from './world.ts'

export interface SandboxOptions extends WorldOptions {
  /** Where the bare repository goes; must exist. */
  readonly folder: string
  /** The PATH on which git is found. */
  readonly path: string
  /** What its machines run; the sandbox's own simulation where absent. */
  readonly nodes?: NodeKind
}

/** What a client needs to know in order to use a sandbox instead of the outside. All of it is loopback. */
export interface SandboxEndpoints {
  readonly hcloud: {
    readonly endpoint: string
    readonly token: string
    readonly readOnlyToken: string
  }
  readonly github: { readonly api: string; readonly token: string; readonly repository: string }
  /** The bare repository, as a folder and over HTTP with basic authentication. */
  readonly git: {
    readonly folder: string
    readonly url: string
    readonly username: string
    readonly password: string
  }
  readonly factory: string
  /** A mirror of every chart repository, and the digests of what it serves. */
  readonly charts: { readonly url: string; readonly digests: Readonly<Record<string, string>> }
  readonly ipLookup: string
  readonly sshPort: number
  /** An object storage with an S3 API, with one bucket. */
  readonly storage: {
    readonly url: string
    readonly region: string
    readonly bucket: string
    readonly accessKeyId: string
    readonly secretAccessKey: string
  }
}

export interface Sandbox {
  readonly world: World
  readonly endpoints: SandboxEndpoints
  readonly github: GithubRepository
  close(): Promise<void>
}

const repositoryName = 'sandbox/clusters'
const githubToken = 'sandbox-github-token'
const gitUser = 'sandbox'
const gitPassword = 'sandbox-git-password'

/** Starts a world with all its fronts. Close it in the end: it listens on many addresses. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { nodes } = options
  const world = new World({ ...options, ...nodes?.world })
  const sshPort = nodes?.sshPort ?? (await rescuePort(world))
  if (nodes) await nodes.prepare(world)
  else registerGuests(world, sshPort)
  const root = join(options.folder, 'git')
  await mkdir(root, { recursive: true })
  const folder = await createBareRepository(join(root, 'clusters.git'), options.path)
  const github = new GithubRepository(new GitObjects(folder, options.path))
  github.tokens.set(githubToken, 'write')
  const repositories = new Map([[repositoryName, github]])
  const users = { [gitUser]: { password: gitPassword, access: 'write' } } as const
  judgeRepository(world, { folder, path: options.path, github })
  const hetzner = await serveHetzner(world)
  const inPods = nodes && { hcloudEndpoint: seenFrom(nodes, hetzner.url) }
  const [factory, ipLookup, charts, api, git, storage] = await Promise.all([
    serveFactory(world),
    serveIpLookup(world, { callerAddress: nodes?.worldAddress }),
    serveCharts(world, inPods),
    serveGithub(world, { repositories }),
    serveGit({ root, users, path: options.path }),
    serveStorage(world),
  ])
  const [token = '', readOnlyToken = ''] = Object.keys(sandboxTokens)
  return {
    world,
    github,
    endpoints: {
      hcloud: { endpoint: hetzner.url, token, readOnlyToken },
      github: { api: api.url, token: githubToken, repository: repositoryName },
      git: { folder, url: `${git.url}/clusters.git`, username: gitUser, password: gitPassword },
      factory: seenFrom(nodes, factory.url),
      charts: { url: charts.url, digests: charts.digests },
      ipLookup: ipLookup.url,
      sshPort,
      storage: { url: storage.url, ...storageAccount },
    },
    async close() {
      await world.close()
      await Promise.all([charts.close(), git.close()])
    },
  }
}

/** The judge reads what runs write down, and in the end whether there is a secret in what others can read. */
function judgeRepository(
  world: World,
  { folder, path, github }: { folder: string; path: string; github: GithubRepository },
): void {
  const { written, outputs } = world.judge
  written.reader = readStateBranch(folder, path)
  for (const token of Object.keys(sandboxTokens)) outputs.secret(token)
  world.onClose(async () => {
    for (const { body } of github.comments) outputs.output('a comment', body)
    if (outputs.knowsSecrets) outputs.output('the repository', await readRepository(folder, path))
  })
}

/** A front's address as machines reach it. */
function seenFrom(nodes: NodeKind | undefined, url: string): string {
  return nodes?.worldAddress === undefined ? url : url.replace('127.0.0.1', nodes.worldAddress)
}

function registerGuests(world: World, sshPort: number): void {
  world.guests.stock = stockGuest
  world.guests.rescue = rescueGuest({ port: sshPort })
  world.guests.talos = createTalosGuest({
    createKubernetes: (options) => new SimKubernetes(options),
  })
}

/** Port 22 takes a privilege that not everybody has; any other does as well, as long as it is told. */
async function rescuePort(world: World): Promise<number> {
  const probe = createServer()
  const listens = (port: number) =>
    new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false))
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
    })
  return (await listens(22)) ? 22 : 2_222 + (world.random.bytes(1)[0] ?? 0)
}
