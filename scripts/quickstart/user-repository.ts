import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { generateX25519Identity } from 'age-encryption'
import { serveGithubGit } from '../../src/sandbox/git/serve-github-git.ts'
import { type Checkout, checkOut } from '../checkout.ts'
import { extractHelm } from '../extract-helm.ts'
import type { SimulatedEvent } from '../runner-event.ts'
import { RunnerJob, type StepResult } from '../runner-job.ts'
import type { OpenGround } from './ground.ts'

const root = resolve(import.meta.dirname, '../..')

export interface ShowOptions {
  /** Is there and empty; what there is to look at afterwards stays in it. */
  readonly folder: string
  readonly print: (line: string) => void
  /** Gets what each step of a job left. */
  readonly onStep?: (step: StepResult) => void
}

/**
 * A repository of a user on the sandbox, with its jobs and a terminal in its checkout. The product runs from the committed
 * bundle in processes of its own; only its endpoints are the sandbox's.
 */
export class UserRepository {
  readonly identity: string
  readonly #ground: OpenGround
  readonly #options: ShowOptions
  readonly #checkout: Checkout
  readonly #serverUrl: string
  /** What the product finds in its environment: the sandbox instead of the outside, and nothing of ours. */
  readonly #outside: Readonly<Record<string, string>>

  private constructor(
    ground: OpenGround,
    options: ShowOptions,
    parts: {
      readonly identity: string
      readonly checkout: Checkout
      readonly serverUrl: string
      readonly outside: Readonly<Record<string, string>>
    },
  ) {
    this.#ground = ground
    this.#options = options
    this.identity = parts.identity
    this.#checkout = parts.checkout
    this.#serverUrl = parts.serverUrl
    this.#outside = parts.outside
  }

  static async open(ground: OpenGround, options: ShowOptions): Promise<UserRepository> {
    const { folder } = options
    const { endpoints, world } = ground.sandbox
    const path = process.env['PATH'] ?? ''
    const git = await serveGithubGit(endpoints, { folder, path })
    world.onClose(git.close)
    const identity = await generateX25519Identity()
    await writeFile(join(folder, 'age-identity.txt'), `${identity}\n`, { mode: 0o600 })
    return new UserRepository(ground, options, {
      identity,
      checkout: await checkOut(endpoints.git.folder, folder),
      serverUrl: git.url,
      outside: {
        ...ground.environment,
        PATH: path,
        HOME: folder,
        HCLOUD_TALOS_HELM: await extractHelm(),
      },
    })
  }

  get name(): string {
    return this.#ground.sandbox.endpoints.github.repository
  }

  /** Returns the commit of the default branch that has the file. */
  merge(path: string, text: string): Promise<string> {
    return this.#checkout.merge(path, text)
  }

  /** A subcommand at a terminal. */
  async runCommand(...args: readonly string[]): Promise<void> {
    const { folder, print } = this.#options
    print(`$ hcloud-talos ${args.join(' ')}`)
    const env = { ...this.#outside, HCLOUD_TALOS_AGE_IDENTITY: this.identity }
    const config = ['--config', join(folder, 'cluster.yaml')]
    const command = [join(root, 'dist', 'cli.cjs'), ...args, ...config]
    const child = spawn(process.execPath, command, { env, cwd: folder })
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', print)
    }
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error(`hcloud-talos ${args.join(' ')} ended with exit code ${code}`)
  }

  /** The pipeline in one step, as the runner runs it: main, then post. */
  async runAction(event: SimulatedEvent, inputs: Readonly<Record<string, string>>): Promise<void> {
    const { folder, print, onStep = () => {} } = this.#options
    const { github } = this.#ground.sandbox.endpoints
    const job = new RunnerJob({
      actions: root,
      folder: join(folder, '.runner'),
      workspace: folder,
      environment: this.#outside,
      event,
      repository: github.repository,
      runId: Math.floor(Date.now() / 1000),
      job: event.name,
      token: github.token,
      apiUrl: github.api,
      serverUrl: this.#serverUrl,
      onLine: print,
    })
    const config = join(folder, 'cluster.yaml')
    const step = await job.step('.', { config, ...inputs })
    await appendFile(join(folder, 'summary.md'), step.summary)
    const steps = [step, ...(await job.finish())]
    for (const one of steps) onStep(one)
    const failed = steps.find(({ exitCode }) => exitCode !== 0)
    if (failed) throw new Error(`the step on ${event.name} ended with exit code ${failed.exitCode}`)
    await rm(join(folder, '.runner'), { recursive: true, force: true })
  }
}
