import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { exportState } from '../../src/commands/state/export-state.ts'
import { importState } from '../../src/commands/state/import-state.ts'
import { listNodes } from '../../src/kubernetes/nodes.ts'
import { seededRandom } from '../../src/lib/random.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import { connectKubernetes } from '../kubernetes/connect-kubernetes.ts'
import { type Bench, startBench } from './harness.ts'
import { KeyRing } from './key-bench.ts'
import { changesDuring, setBranch } from './world-facts.ts'

const script = resolve(import.meta.dirname, '../../scripts/hcloud-talos.ts')
const run = promisify(execFile)

let bench: Bench
let ring: KeyRing
let file: ClusterFile
let machine: string

beforeAll(async () => {
  bench = await startBench()
  ring = await KeyRing.begin(bench)
  file = await ring.file()
  await applyCluster(bench.run(), { file, keepRule: true })
  // The repository as everybody has it: the cluster file on its default branch.
  machine = await mkdtemp(join(tmpdir(), 'fresh-machine-'))
  const author = join(machine, 'author')
  await git(machine, 'clone', '--quiet', bench.sandbox.endpoints.git.folder, author)
  await git(author, 'checkout', '--quiet', '-b', 'main')
  await writeFile(join(author, 'cluster.yaml'), file.text)
  await git(author, 'add', 'cluster.yaml')
  await git(author, 'commit', '--quiet', '--message', 'The cluster')
  await git(author, 'push', '--quiet', 'origin', 'main')
})
afterAll(async () => {
  await bench[Symbol.asyncDispose]()
  await rm(machine, { recursive: true, force: true })
})

async function git(folder: string, ...args: string[]): Promise<void> {
  const who = ['-c', 'user.name=anna', '-c', 'user.email=anna@localhost']
  await run('git', [...who, ...args], { cwd: folder })
}

/** A machine that has never seen the cluster: a clone, one age key in a file, nothing else. */
async function freshClone(name: string, identity: string): Promise<string> {
  const folder = join(machine, name)
  await git(
    machine,
    'clone',
    '--quiet',
    '--branch',
    'main',
    bench.sandbox.endpoints.git.folder,
    folder,
  )
  await writeFile(join(folder, 'key.txt'), `${identity}\n`, { mode: 0o600 })
  return folder
}

async function command(
  folder: string,
  ...args: string[]
): Promise<{ code: number; output: string }> {
  const temporary = join(folder, 'tmp')
  await mkdir(temporary, { recursive: true })
  const child = spawn(process.execPath, [script, ...args], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOME: temporary,
      TMPDIR: temporary,
      HCLOUD_TALOS_AGE_IDENTITY_FILE: 'key.txt',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += String(chunk)
    })
  }
  const code = await new Promise<number>((done, fail) => {
    child.once('error', fail)
    child.once('close', (exitCode) => done(exitCode ?? -1))
  })
  return { code, output }
}

async function nodesBy(kubeconfig: string): Promise<string[]> {
  const { clock } = bench.sandbox.world
  const client = await connectKubernetes({ kubeconfig, clock, random: seededRandom(1) })
  const nodes = await listNodes(client)
  client.close()
  return nodes.map(({ name }) => name)
}

it.each(['the key of the runs', 'the offline key'])(
  'with a clone and %s, one command gives a kubeconfig of the running cluster',
  async (which) => {
    const identity = which === 'the offline key' ? ring.offline : ring.newest
    const folder = await freshClone(which.replaceAll(' ', '-'), identity)
    const changes = await changesDuring(bench.sandbox.world, async () => {
      const { code, output } = await command(folder, 'kubeconfig')
      expect(code, output).toBe(0)
      expect(output).toContain('wrote kubeconfig')
      expect(output).not.toContain(identity)
    })
    expect(changes).toEqual([])
    expect(await nodesBy(await readFile(join(folder, 'kubeconfig'), 'utf8'))).toEqual([
      'demo-control-plane-1',
    ])
  },
)

it('with the branch lost, a bundle brings it back, and the same command works', async () => {
  const { bundle } = await exportState(ring.holding([]), file)
  await setBranch(bench, undefined)
  const folder = await freshClone('after-the-loss', ring.newest)
  const lost = await command(folder, 'kubeconfig')
  expect(lost.output).toContain('cluster-unknown')
  await importState(ring.holding(), { file, bundle })
  expect(await command(folder, 'kubeconfig')).toMatchObject({ code: 0 })
  expect(await nodesBy(await readFile(join(folder, 'kubeconfig'), 'utf8'))).toHaveLength(1)
})
