import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { extractHelm } from '../../scripts/extract-helm.ts'
import { createLimit } from '../../src/lib/limit.ts'
import { sandboxEnvironment } from '../../src/sandbox/sandbox-environment.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/start-sandbox.ts'

/** How a command ended, and all that it said. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface Invocation {
  /** Laid over the environment; undefined takes a variable out. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The working folder; the bench's own where absent. */
  readonly cwd?: string
  /** Instead of the sources: `dist/cli.cjs`. */
  readonly program?: string
  /** Gets the process as soon as it runs. */
  readonly onStart?: (child: ReturnType<typeof spawn>) => void
}

/** A sandbox, and the command in processes of its own that know no other outside. */
export interface CommandBench extends AsyncDisposable {
  readonly sandbox: Sandbox
  readonly identity: string
  readonly recipient: string
  readonly environment: Readonly<Record<string, string>>
  /** A folder for files; commands run in it. */
  readonly folder: string
  /** Where commands may put temporary things. */
  readonly temporaryFolder: string
  /** Writes a file below the folder and returns its path. */
  write(name: string, text: string | Uint8Array): Promise<string>
  run(args: readonly string[], invocation?: Invocation): Promise<Ended>
  /** All that commands could change: what the project holds, the refs of the repository. */
  outside(): Promise<Outside>
}

interface Outside {
  readonly project: Readonly<Record<string, readonly string[]>>
  readonly refs: readonly string[]
  readonly temporary: readonly string[]
}

const root = resolve(import.meta.dirname, '../..')
const sources = join(root, 'scripts', 'hcloud-talos.ts')

/** Processes that run at once: more would only wait for each other. */
const atOnce = 3

export async function startCommandBench(
  options: Partial<Omit<SandboxOptions, 'folder' | 'path'>> = {},
): Promise<CommandBench> {
  const base = await mkdtemp(join(tmpdir(), 'hcloud-talos-cli-'))
  const [folder, temporaryFolder] = [join(base, 'work'), join(base, 'tmp')]
  await Promise.all([mkdir(folder), mkdir(temporaryFolder)])
  const path = process.env['PATH'] ?? ''
  const sandbox = await startSandbox({ folder: base, path, latencies: 'none', ...options })
  const identity = await generateX25519Identity()
  const environment = {
    ...sandboxEnvironment(sandbox.endpoints),
    PATH: path,
    HOME: base,
    TMPDIR: temporaryFolder,
    HCLOUD_TALOS_HELM: await extractHelm(),
    HCLOUD_TALOS_AGE_IDENTITY: identity,
    // Halves the time to start from sources.
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'hcloud-talos', 'compile'),
  }
  const limit = createLimit(atOnce)
  return {
    sandbox,
    identity,
    recipient: await identityToRecipient(identity),
    environment,
    folder,
    temporaryFolder,
    async write(name, text) {
      const file = join(folder, name)
      await writeFile(file, text)
      return file
    },
    run: (args, invocation = {}) =>
      limit(() =>
        runCommand(args, {
          cwd: folder,
          ...invocation,
          env: { ...environment, ...invocation.env },
        }),
      ),
    outside: async () => ({
      project: holdings(sandbox),
      refs: await refs(sandbox.endpoints.git.folder),
      temporary: await readdir(temporaryFolder),
    }),
    async [Symbol.asyncDispose]() {
      await sandbox.close()
      await rm(base, { recursive: true, force: true })
    },
  }
}

/** Runs the command in a process of its own until it ends. */
export async function runCommand(
  args: readonly string[],
  { env, cwd, program = sources, onStart }: Invocation,
): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...env },
    ...(cwd === undefined ? {} : { cwd }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text
  })
  onStart?.(child)
  const [code, signal]: [number | null, NodeJS.Signals | null] = await new Promise((done, fail) => {
    child.once('error', fail)
    child.once('close', (...end) => done(end))
  })
  return { code, signal, ...output }
}

function holdings({ world: { hetzner } }: Sandbox): Record<string, string[]> {
  const kinds = {
    servers: hetzner.servers,
    networks: hetzner.networks,
    firewalls: hetzner.firewalls,
    placementGroups: hetzner.placementGroups,
    loadBalancers: hetzner.loadBalancers,
    sshKeys: hetzner.sshKeys,
    volumes: hetzner.volumes,
  }
  return Object.fromEntries(
    Object.entries(kinds).map(([kind, all]) => [kind, [...all.values()].map(({ name }) => name)]),
  )
}

/** The refs of a bare repository, each with its commit. */
async function refs(folder: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('git', ['-C', folder, 'for-each-ref'])
  return stdout.split('\n').filter(Boolean)
}
