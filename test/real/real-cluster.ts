import { execFile } from 'node:child_process'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { prepareBed } from '../../rig/bed/prepare-bed.ts'
import { realNodes } from '../../rig/real-nodes.ts'
import type { World } from '../../src/sandbox/world.ts'
import { type CommandBench, type Ended, startCommandBench } from '../cli/command-bench.ts'

/** What a program of somebody else's ended with. */
export interface Answer {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** A world with real nodes, the product's commands in processes of their own, and other people's clients. */
export interface RealCluster extends AsyncDisposable {
  readonly bench: CommandBench
  readonly world: World
  /** The age identity of the runs, where it is another one than in the beginning. */
  identity: string | undefined
  /** Folder of etcd's own tool. */
  readonly etcdTools: string
  /** Runs a command of the product on `cluster.yaml`. */
  run(...args: string[]): Promise<Ended>
  /** The same, and it must end well. */
  succeed(...args: string[]): Promise<Ended>
  kubectl(...args: string[]): Promise<Answer>
  /** What `kubectl ... -o json` says. */
  objects(...args: string[]): Promise<Record<string, unknown>[]>
  /** talosctl as admin, at this node's own address. */
  talosctl(node: string, ...args: string[]): Promise<Answer>
  /** What a node's Talos wrote to the console of its machine. */
  consoleOf(node: string): Promise<string>
  /** Fetches new credentials: after a cluster was made, or its secrets changed. */
  fetchAccess(): Promise<void>
}

const root = resolve(import.meta.dirname, '../..')
const execute = promisify(execFile)

/** Starts an empty world. The test script made its namespaces and the bed that its nodes start from. */
export async function startRealCluster(
  name: string,
  kubernetes?: readonly string[],
): Promise<RealCluster> {
  const cache = needed('HCLOUD_TALOS_REAL_CACHE')
  const home = needed('HCLOUD_TALOS_REAL_FOLDER')
  // The cgroup of its containers is named after it, and swept by the name of what it lies in.
  const folder = join(home, `${basename(home)}-${name}`)
  await mkdir(folder, { recursive: true })
  const path = needed('PATH')
  const bed = await prepareBed({ root, cache, path, report: () => {}, kubernetes })
  const bench = await startCommandBench({ nodes: realNodes({ bed, folder }) })
  const { world } = bench.sandbox
  const [kubeconfig, talosconfig] = [
    join(bench.folder, 'kubeconfig'),
    join(bench.folder, 'talosconfig'),
  ]
  const kubectl = (...args: string[]) => {
    // What waits by itself watches, and a watch is a request that takes as long as it takes.
    const waits = args.some((arg) => arg.startsWith('--timeout='))
    const limit = waits ? [] : ['--request-timeout=20s']
    return answerOf(bed.programs.kubectl, ['--kubeconfig', kubeconfig, ...limit, ...args])
  }
  const run = (...args: string[]) => {
    const { identity } = cluster
    return bench.run(args, identity ? { env: { HCLOUD_TALOS_AGE_IDENTITY: identity } } : {})
  }
  const succeed = async (...args: string[]) => {
    const ended = await run(...args)
    if (ended.code === 0) return ended
    throw new Error(`${args.join(' ')} ended with ${ended.code}:\n${ended.stdout}${ended.stderr}`)
  }
  const cluster: RealCluster = {
    bench,
    world,
    identity: undefined,
    etcdTools: dirname(bed.programs.etcdutl),
    run,
    succeed,
    kubectl,
    async objects(...args) {
      const { code, stdout, stderr } = await kubectl(...args, '--output=json')
      if (code !== 0) throw new Error(stderr)
      const { items } = JSON.parse(stdout)
      return items
    },
    talosctl(node, ...args) {
      const address = world.machineNamed(node)?.publicIp ?? ''
      const at = ['--talosconfig', talosconfig, '--endpoints', address, '--nodes', address]
      return answerOf(bed.programs.talosctl, [...at, ...args])
    },
    consoleOf: (node) => readFile(join(folder, `${node}.log`), 'utf8'),
    async fetchAccess() {
      await Promise.all([kubeconfig, talosconfig].map((file) => rm(file, { force: true })))
      await succeed('kubeconfig', '--out', kubeconfig)
      await succeed('talosconfig', '--out', talosconfig)
    },
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  }
  return cluster
}

async function answerOf(program: string, args: readonly string[]): Promise<Answer> {
  try {
    const { stdout, stderr } = await execute(program, args, {
      timeout: 300_000,
      maxBuffer: 64 * 2 ** 20,
    })
    return { code: 0, stdout, stderr }
  } catch (error) {
    if (!(error instanceof Error && 'stdout' in error && 'stderr' in error)) throw error
    const code = 'code' in error && typeof error.code === 'number' ? error.code : 1
    return { code, stdout: String(error.stdout), stderr: String(error.stderr) }
  }
}

function needed(name: string): string {
  const value = process.env[name]
  if (value) return value
  throw new Error(`${name} is not set: run these tests by npm run test:real`)
}
