import type { Clock } from '../lib/clock.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import { createLimit, type Limit } from '../lib/limit.ts'
import { type Random, randomHex } from '../lib/random.ts'
import type { Redactor } from '../lib/redactor.ts'
import { retry } from '../lib/retry.ts'
import { type ClaimOptions, claimLock } from './claim-lock.ts'
import { buildGeneration, type Generation, readGeneration } from './generation.ts'
import type { CommitRequest } from './git/commit-stream.ts'
import type { PrivateRepository } from './git/private-repository.ts'
import type { HeldLock } from './held-lock.ts'
import type { AgeIdentity } from './identity.ts'
import type { Fact } from './journal.ts'
import { lockRef, nodeConfigPath, secretsPath, stateRef } from './layout.ts'
import { publish } from './publish.ts'
import type { RunIdentity } from './run-identity.ts'
import { createSecretFiles, type SecretFiles } from './secret-files.ts'
import { type FileChanges, nextGeneration, type StateChanges } from './state-changes.ts'

export interface StateStoreOptions {
  readonly branch: string
  readonly clusterName: string
  /** age recipients of the cluster file. */
  readonly recipients: readonly string[]
  /** Without any, the public files can be read and secrets neither read nor written. */
  readonly identities?: readonly AgeIdentity[]
  readonly writer: RunIdentity
  readonly toolVersion: string
  readonly clock: Clock
  readonly random: Random
  readonly redactor: Redactor
  readonly signal?: AbortSignal | undefined
}

/** Another writer was first; the change is made again on what it wrote. */
class LostRace extends Error {}

interface Known {
  readonly head: string | undefined
  readonly generation: Generation | undefined
}

/**
 * The state of one cluster on its branch. Reads verify everything; each update is one commit and one
 * generation, published by compare-and-swap, and by none but the lock's holder where the lock was taken.
 */
export class StateStore {
  readonly #repository: PrivateRepository
  readonly #options: StateStoreOptions
  readonly #secretFiles: SecretFiles
  readonly #serially: Limit = createLimit(1)
  #known: Known | undefined
  #lock: HeldLock | undefined

  /** Made by `openStore`. */
  constructor(repository: PrivateRepository, options: StateStoreOptions) {
    this.#repository = repository
    this.#options = options
    const { clusterName: cluster, recipients, identities = [], redactor, random } = options
    this.#secretFiles = createSecretFiles({ cluster, recipients, identities, redactor, random })
  }

  /** The commit that was read or written last; undefined before that, and when there is no branch. */
  get head(): string | undefined {
    return this.#known?.head
  }

  /**
   * The newest generation, from the remote; undefined when the branch or the cluster on it does not exist.
   * Throws `state-foreign`, `state-corrupt`, `state-unreachable`.
   */
  read(): Promise<Generation | undefined> {
    return this.#serially(async () => (await this.#fetch()).generation)
  }

  /**
   * The secrets bundle as YAML, of the generation that was read last; undefined when there is none. Throws
   * `identity-missing`, `state-undecryptable`, `state-corrupt`: none of them ever means "none".
   */
  readSecrets(): Promise<string | undefined> {
    return this.#open(secretsPath)
  }

  /** The machine config of a node as YAML, likewise. */
  readNodeConfig(node: string): Promise<string | undefined> {
    return this.#open(nodeConfigPath(node))
  }

  /**
   * Makes one generation of what `mutate` answers to the newest one, and returns it; the former when nothing
   * differs. `mutate` is asked again when another writer was faster, so it must do nothing but answer.
   * `message` goes into the commit. Throws `state-fenced` when the lock was lost, `state-push-refused`,
   * `state-unreachable`, and what reading throws.
   */
  update(
    mutate: (generation: Generation | undefined) => StateChanges | Promise<StateChanges>,
    message: string,
  ): Promise<Generation> {
    return this.#racing(async (known) => {
      const { generation, head } = known
      const { clusterName: cluster, writer, toolVersion, clock, random } = this.#options
      const now = clock.now()
      const files = await nextGeneration(generation, await mutate(generation), {
        cluster,
        writer,
        toolVersion,
        secretFiles: this.#secretFiles,
        nonce: randomHex(random, 16),
        now,
      })
      if (!files) {
        if (!generation) throw new Error('the first update of a cluster changes nothing')
        return generation
      }
      const next = await this.#publish(head, files, message)
      const built = buildGeneration(next, cluster, merged(generation, files))
      this.#known = { head: next, generation: built }
      return built
    })
  }

  /** Writes a fact down, before the act that it is about. */
  async record(fact: Fact): Promise<void> {
    const about = fact.node === undefined ? '' : ` of ${fact.node}`
    await this.update(() => ({ facts: [fact] }), `Note ${fact.fact}${about}`)
  }

  /** Takes the cluster off the branch: the last act of a destroy. Other clusters stay. */
  async remove(message: string): Promise<void> {
    await this.#racing(async ({ head, generation }) => {
      if (!generation) return
      const files = new Map([...generation.files.keys()].map((path) => [path, undefined]))
      const next = await this.#publish(head, files, message)
      this.#known = { head: next, generation: undefined }
    })
  }

  /**
   * Takes the cluster's lock and keeps it alive until it is released. From then on every update moves it
   * along. Throws `state-locked`.
   */
  async lock(options: ClaimOptions): Promise<HeldLock> {
    const { branch, clusterName: cluster, writer: owner } = this.#options
    const ref = lockRef(branch, cluster)
    const environment = { ...this.#options, repository: this.#repository }
    this.#lock = await claimLock({ ref, cluster, owner }, options, environment, this.#serially)
    void this.#lock.beat()
    return this.#lock
  }

  /** Gives the lock back and removes the temporary folder. */
  async close(): Promise<void> {
    await this.#lock?.release()
    await this.#repository.close()
  }

  async #fetch(): Promise<Known> {
    const { branch, clusterName: cluster } = this.#options
    const head = await this.#repository.fetch(stateRef(branch))
    if (this.#known === undefined || this.#known.head !== head) {
      const generation =
        head === undefined
          ? undefined
          : await readGeneration(this.#repository, head, { branch, cluster })
      this.#known = { head, generation }
    }
    return this.#known
  }

  async #open(path: string): Promise<string | undefined> {
    const { generation } = this.#known ?? (await this.#serially(() => this.#fetch()))
    const content = generation?.files.get(path)
    return content && (await this.#secretFiles.open(path, content))
  }

  /** Runs a read-modify-write, again on the fresh head whenever another writer was first. */
  #racing<T>(attempt: (known: Known) => Promise<T>): Promise<T> {
    const { clock, random, signal } = this.#options
    return this.#serially(() =>
      retry(
        async () => {
          if (this.#lock?.lost.aborted) throw this.#fenced()
          return await attempt(this.#known ?? (await this.#fetch()))
        },
        {
          retries: 100,
          baseMs: 100,
          maxMs: 3_000,
          retryable: (error) => error instanceof LostRace,
        },
        signal ? { clock, random, signal } : { clock, random },
      ).catch((error) => {
        throw error instanceof LostRace ? this.#outrun() : error
      }),
    )
  }

  async #publish(head: string | undefined, files: FileChanges, message: string): Promise<string> {
    const { branch, clusterName, clock, redactor } = this.#options
    const request: CommitRequest = {
      parent: head,
      message: redactor.redact(message),
      files: new Map([...files].map(([path, content]) => [`${clusterName}/${path}`, content])),
    }
    const renewal = this.#lock?.renewal()
    const requests = renewal ? [request, renewal.request] : [request]
    const [next, renewed] = await this.#repository.commit(requests, clock.now())
    if (next === undefined) throw new Error('git made no commit')
    const state = { ref: stateRef(branch), expected: head, next }
    const moves = renewal && renewed !== undefined ? [renewal.update(renewed)] : []
    const environment = { ...this.#options, repository: this.#repository }
    const result = await publish([state, ...moves], environment)
    if (result === 'accepted') {
      if (renewed !== undefined) renewal?.moved(renewed)
      return next
    }
    this.#known = undefined
    if (this.#lock && !(await this.#lock.isOurs())) throw this.#fenced()
    throw new LostRace()
  }

  #fenced(): ClusterError {
    return new ClusterError('state-fenced', 'another run took the lock of the cluster over', {
      hint: 'Nothing was written. Look at that run; then run again, which goes on from what it left.',
      operation: 'write the state branch',
      target: this.#options.clusterName,
    })
  }

  #outrun(): ClusterError {
    return new ClusterError('state-unreachable', 'other writers were faster a hundred times', {
      hint: 'Run again when fewer runs write to this branch.',
      operation: 'write the state branch',
      target: this.#options.branch,
    })
  }
}

function merged(
  generation: Generation | undefined,
  changes: FileChanges,
): ReadonlyMap<string, Uint8Array> {
  const files = new Map(generation?.files)
  for (const [path, content] of changes) {
    if (content === undefined) files.delete(path)
    else files.set(path, content)
  }
  return files
}
