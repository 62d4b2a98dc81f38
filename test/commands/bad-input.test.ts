import { execFileSync } from 'node:child_process'
import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mintAccess } from '../../src/commands/access/mint-access.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { destroyCluster } from '../../src/commands/cluster/destroy-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { upgradeCluster } from '../../src/commands/cluster/upgrade-cluster.ts'
import { buildImages } from '../../src/commands/modes/hetzner-talos/build-images.ts'
import { describeError } from '../../src/lib/describe-error.ts'
import type { ErrorCode } from '../../src/lib/error-codes.ts'
import { FindingsError } from '../../src/lib/findings-error.ts'
import type { RunContext } from '../../src/run/run-context.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { changesDuring, leftovers, refs } from './world-facts.ts'

const file = clusterFile({}, bare)

let bench: Bench

beforeAll(async () => {
  bench = await startBench()
})

afterAll(() => bench[Symbol.asyncDispose]())

/** Every command, as far as it takes a cluster file. */
const commands: Record<string, (context: RunContext) => Promise<unknown>> = {
  plan: (context) => planCluster(context, { file, verb: 'apply' }),
  apply: (context) => applyCluster(context, { file }),
  upgrade: (context) => upgradeCluster(context, { file }),
  destroy: (context) => destroyCluster(context, { file, confirm: async () => true }),
  kubeconfig: (context) => mintAccess(context, { file, hours: 1 }),
  'build-image': (context) => buildImages(context, { file }),
}

/** Where the branches stand; a lock moves by itself while it is held. */
async function heads(): Promise<[string, string][]> {
  const all = Object.entries(await refs(bench))
  return all.map(([ref, commit]) => [ref, ref.includes('-lock/') ? 'held' : commit])
}

/** Fails with this code and one line for people, has changed nothing, and has left no lock. */
async function expectRefusal(code: ErrorCode, work: () => Promise<unknown>): Promise<void> {
  const { world } = bench.sandbox
  const before = await heads()
  let thrown: unknown
  const changes = await changesDuring(world, async () => {
    try {
      await work()
    } catch (error) {
      thrown = error
    }
  })
  const { headline, details } = describeError(thrown)
  expect(headline).toMatch(new RegExp(`^${code}: \\S.*\\S$`))
  expect(details.join('\n')).toMatch(thrown instanceof FindingsError ? /^/ : /hint: /)
  expect(changes).toEqual([])
  expect(leftovers(world)).toEqual({})
  expect(await heads()).toEqual(before)
}

for (const [name, command] of Object.entries(commands)) {
  it(`${name} without a token, with a wrong one, or without Hetzner says so and changes nothing`, async () => {
    const none = bench.run({ hetznerToken: undefined })
    // A kubeconfig needs no more than the state, which is not there.
    const missing = name === 'kubeconfig' ? 'cluster-unknown' : 'token-missing'
    await expectRefusal(missing, () => command(none))
    const wrong = bench.run({ hetznerToken: 'x'.repeat(64) })
    await expectRefusal('token-invalid', () => command(wrong))
    const { endpoints } = bench.run()
    const hetzner = `http://127.0.0.1:${await closedPort()}/v1`
    const offline = bench.run({ endpoints: { ...endpoints, hetzner } })
    await expectRefusal('hetzner-unreachable', () => command(offline))
  })
}

it('apply with a token that can only read stops before anything else', async () => {
  const { readOnlyToken } = bench.sandbox.endpoints.hcloud
  const reading = bench.run({ hetznerToken: readOnlyToken })
  await expectRefusal('token-read-only', () => applyCluster(reading, { file }))
})

it('a cluster that does not exist cannot be destroyed, nor entered', async () => {
  const { destroy = fail, kubeconfig = fail } = commands
  await expectRefusal('cluster-unknown', () => destroy(bench.run()))
  await expectRefusal('cluster-unknown', () => kubeconfig(bench.run()))
})

it('a file with mistakes is refused with all of them', async () => {
  const wrong = clusterFile({ controlPlanes: 2 }, { talos: { version: 'v1.13.9', extentions: [] } })
  const applying = () => applyCluster(bench.run(), { file: wrong })
  await expectRefusal('spec-invalid', applying)
  const thrown = await applying().catch((error: unknown) => error)
  const findings = thrown instanceof FindingsError ? thrown.findings : []
  const mistakes = findings.filter(({ severity }) => severity === 'error')
  expect(mistakes.map(({ path }) => path.join('.'))).toEqual([
    'nodes.controlPlane.count',
    'talos.extentions',
  ])
})

it('a remote that is not there, and an identity that is none, are told apart', async () => {
  const { state } = bench.run()
  const nowhere = bench.run({ state: { ...state, remote: `${state.folder}/nowhere.git` } })
  await expectRefusal('state-unreachable', () => applyCluster(nowhere, { file }))
  const garbled = bench.run({ state: { ...state, identity: 'AGE-SECRET-KEY-1NONSENSE' } })
  await expectRefusal('identity-invalid', () => applyCluster(garbled, { file }))
})

it('a branch of somebody else’s is neither read as a state nor written', async () => {
  const { folder } = bench.sandbox.endpoints.git
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@b', ...args], {
      encoding: 'utf8',
      input: '',
    }).trim()
  const page = git('hash-object', '-w', '--stdin')
  const tree = execFileSync('git', ['-C', folder, 'mktree'], {
    encoding: 'utf8',
    input: `100644 blob ${page}\tindex.html\n`,
  }).trim()
  git('update-ref', 'refs/heads/hcloud-talos', git('commit-tree', '-m', 'A page', tree))
  for (const name of ['plan', 'apply', 'upgrade', 'destroy', 'kubeconfig']) {
    await expectRefusal('state-foreign', () => (commands[name] ?? fail)(bench.run()))
  }
  git('update-ref', '-d', 'refs/heads/hcloud-talos')
})

it('a lock that another run holds is waited for, and then named', async () => {
  let inside: () => void = () => undefined
  const holding = new Promise<void>((resolve) => {
    inside = resolve
  })
  let release: () => void = () => undefined
  const holder = applyCluster(bench.run(), {
    file,
    confirm: () => {
      inside()
      return new Promise((resolve) => {
        release = () => resolve(false)
      })
    },
  })
  await holding
  const { run } = bench.run()
  const other = bench.run({ run: { ...run, isRunOver: async () => false } })
  await expectRefusal('state-locked', () => applyCluster(other, { file }))
  release()
  expect(await holder).toMatchObject({ applied: false })
})

function fail(): never {
  throw new Error('there is no such command')
}

/** A port on which nobody listens. */
function closedPort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}
