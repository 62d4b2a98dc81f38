import type { Clock } from '../lib/clock.ts'
import { createLimit, type Limit } from '../lib/limit.ts'
import { type Random, randomHex } from '../lib/random.ts'
import type { Redactor } from '../lib/redactor.ts'
import { auditState, type StateAudit } from './audit-state.ts'
import { type ClaimOptions, claimLock } from './claim-lock.ts'
import { ClusterBranch, type Known, type Proposal } from './cluster-branch.ts'
import { buildGeneration, type Generation, type ReadOptions } from './generation.ts'
import type { PrivateRepository } from './git/private-repository.ts'
import type { HeldLock } from './held-lock.ts'
import type { AgeIdentity } from './identity.ts'
import type { Fact } from './journal.ts'
import { lockRef, nodeConfigPath, secretsPath } from './layout.ts'
import type { RunIdentity } from './run-identity.ts'
import { createSecretFiles, type SecretFiles } from './secret-files.ts'
import {
  applyFiles,
  type NextGeneration,
  nextGeneration,
  type StateChanges,
} from './state-changes.ts'
import { createStateTrust, type StateTrust, type TrustKind } from './state-trust.ts'

export interface StateStoreOptions {
  readonly branch: string
  readonly clusterName: string
  /** owner/name of the repository that the state is bound to. */
  readonly repository: string
  /** age recipients of the cluster file. */
  readonly recipients: readonly string[]
  /** `state.signer` of the cluster file, by epoch; whoever else signs is not believed. */
  readonly signers?: readonly string[] | undefined
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
  readonly #trust: StateTrust
  readonly #reading: ReadOptions
  readonly #branch: ClusterBranch
  readonly #serially: Limit = createLimit(1)

  /** Made by `openStore`. */
  constructor(repository: PrivateRepository, options: StateStoreOptions) {
    this.#repository = repository
    this.#options = options
    const { branch, clusterName: cluster, recipients, signers = [], identities = [] } = options
    const secretFiles = createSecretFiles({ ...options, cluster, recipients, identities })
    const trust = createStateTrust(signers, identities)
    const reading = { branch, cluster, repository: options.repository, trust, secretFiles }
    this.#secretFiles = secretFiles
    this.#trust = trust
    this.#reading = reading
    this.#branch = new ClusterBranch({ ...options, repository, reading }, this.#serially)
  }

  /** Whose signatures are believed. */
  get trust(): TrustKind {
    return this.#trust.kind
  }

  /** The generation that was read or written last, without asking the remote. */
  get known(): Generation | undefined {
    return this.#branch.known?.generation
  }

  /** The commit that was read or written last; undefined before that, and when there is no branch. */
  get head(): string | undefined {
    return this.#branch.known?.head
  }

  /**
   * The newest generation, from the remote; undefined when the branch or the cluster on it does not exist.
   * Throws `state-foreign`, `state-unreachable`, and a code of its own for each way in which it is not what
   * was written.
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
      return this.#propose(generation, await this.#next(generation, changes))
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
      const isThere = paths.length > 0
      return { files: isThere ? files : undefined, manifest: undefined, after: () => undefined }
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

  /** Verifies the whole branch, generation by generation. Throws `state-unreachable`. */
  audit(): Promise<StateAudit> {
    return this.#serially(() => auditState(this.#repository, this.#reading))
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

  #next(
    generation: Generation | undefined,
    changes: StateChanges,
  ): Promise<NextGeneration | undefined> {
    const { clusterName: cluster, repository, writer, toolVersion, clock, random } = this.#options
    return nextGeneration(generation, changes, {
      cluster,
      repository,
      writer,
      toolVersion,
      trust: this.#trust,
      secretFiles: this.#secretFiles,
      nonce: randomHex(random, 16),
      now: clock.now(),
    })
  }

  #propose(generation: Generation | undefined, next: NextGeneration | undefined): Proposal {
    if (!next) return { files: undefined, manifest: undefined, after: () => generation }
    const { manifest, files } = next
    const after = (commit: string) =>
      buildGeneration(commit, manifest, applyFiles(generation?.files, files))
    return { files, manifest, after }
  }
}
