import type { Clock } from '../lib/clock.ts'
import { createLimit, type Limit } from '../lib/limit.ts'
import { type Random, randomHex } from '../lib/random.ts'
import type { Redactor } from '../lib/redactor.ts'
import { type ClaimOptions, claimLock } from './claim-lock.ts'
import { ClusterBranch, type Known, type Proposal } from './cluster-branch.ts'
import { buildGeneration, type Generation } from './generation.ts'
import type { PrivateRepository } from './git/private-repository.ts'
import type { HeldLock } from './held-lock.ts'
import type { AgeIdentity } from './identity.ts'
import type { Fact } from './journal.ts'
import { lockRef, nodeConfigPath, secretsPath } from './layout.ts'
import type { RunIdentity } from './run-identity.ts'
import { createSecretFiles, type SecretFiles } from './secret-files.ts'
import { applyFiles, type FileChanges, nextGeneration, type StateChanges } from './state-changes.ts'

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

/**
 * The state of one cluster on its branch. Reads verify everything; each update is one commit and one
 * generation, published by compare-and-swap, and by none but the lock's holder once the lock was taken.
 */
export class StateStore {
  readonly #repository: PrivateRepository
  readonly #options: StateStoreOptions
  readonly #secretFiles: SecretFiles
  readonly #branch: ClusterBranch
  readonly #serially: Limit = createLimit(1)

  /** Made by `openStore`. */
  constructor(repository: PrivateRepository, options: StateStoreOptions) {
    this.#repository = repository
    this.#options = options
    const { clusterName: cluster, recipients, identities = [], redactor, random } = options
    this.#secretFiles = createSecretFiles({ cluster, recipients, identities, redactor, random })
    this.#branch = new ClusterBranch({ ...options, repository }, this.#serially)
  }

  /** The commit that was read or written last; undefined before that, and when there is no branch. */
  get head(): string | undefined {
    return this.#branch.known?.head
  }

  /**
   * The newest generation, from the remote; undefined when the branch or the cluster on it does not exist.
   * Throws `state-foreign`, `state-corrupt`, `state-unreachable`.
   */
  async read(): Promise<Generation | undefined> {
    return (await this.#branch.fetch()).generation
  }

  /**
   * The secrets bundle as YAML, of the generation that was read or written last; undefined when there is
   * none. Throws `identity-missing`, `state-undecryptable`, `state-corrupt`: none of them ever means "none".
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
  async update(
    mutate: (generation: Generation | undefined) => StateChanges | Promise<StateChanges>,
    message: string,
  ): Promise<Generation> {
    const written = await this.#branch.write(async ({ generation }) => {
      const changes = await mutate(generation)
      return this.#propose(generation, await this.#nextFiles(generation, changes))
    }, message)
    if (!written) throw new Error('the first update of a cluster changes nothing')
    return written
  }

  /** Writes a fact down, before the act that it is about. */
  async record(fact: Fact): Promise<void> {
    const about = fact.node === undefined ? '' : ` of ${fact.node}`
    await this.update(() => ({ facts: [fact] }), `Note ${fact.fact}${about}`)
  }

  /** Takes the cluster off the branch: the last act of a destroy. Other clusters stay. */
  async remove(message: string): Promise<void> {
    await this.#branch.write(async ({ generation }: Known): Promise<Proposal> => {
      const paths = [...(generation?.files.keys() ?? [])]
      const files = new Map(paths.map((path) => [path, undefined]))
      return { files: paths.length > 0 ? files : undefined, after: () => undefined }
    }, message)
  }

  /**
   * Takes the cluster's lock and keeps it alive until it is released. From then on every update moves it
   * along. Throws `state-locked`.
   */
  async lock(options: ClaimOptions): Promise<HeldLock> {
    const { branch, clusterName: cluster, writer: owner } = this.#options
    const ref = lockRef(branch, cluster)
    const environment = { ...this.#options, repository: this.#repository }
    const lock = await claimLock({ ref, cluster, owner }, options, environment, this.#serially)
    this.#branch.lock = lock
    void lock.beat()
    return lock
  }

  /** Gives the lock back and removes the temporary folder. */
  async close(): Promise<void> {
    await this.#branch.lock?.release()
    await this.#repository.close()
  }

  async #open(path: string): Promise<string | undefined> {
    const { generation } = this.#branch.known ?? (await this.#branch.fetch())
    const content = generation?.files.get(path)
    return content && (await this.#secretFiles.open(path, content))
  }

  #nextFiles(
    generation: Generation | undefined,
    changes: StateChanges,
  ): Promise<FileChanges | undefined> {
    const { clusterName: cluster, writer, toolVersion, clock, random } = this.#options
    return nextGeneration(generation, changes, {
      cluster,
      writer,
      toolVersion,
      secretFiles: this.#secretFiles,
      nonce: randomHex(random, 16),
      now: clock.now(),
    })
  }

  #propose(generation: Generation | undefined, files: FileChanges | undefined): Proposal {
    const { clusterName } = this.#options
    return {
      files,
      after: (commit) =>
        buildGeneration(commit, clusterName, applyFiles(generation?.files, files ?? new Map())),
    }
  }
}
