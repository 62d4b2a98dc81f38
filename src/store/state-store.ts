import type { Clock } from '../lib/clock.ts'
import { createLimit, type Limit } from '../lib/limit.ts'
import { type Random, randomHex } from '../lib/random.ts'
import type { Redactor } from '../lib/redactor.ts'
import type { RunIdentity } from '../lib/run-identity.ts'
import type { NamedSecrets } from '../spec/secret-reference.ts'
import { ClusterBranch, type Known, type Proposal } from './cluster-branch.ts'
import { BranchShape } from './files/branch-shape.ts'
import type { Fact } from './files/journal.ts'
import {
  lockRef,
  manifestPath,
  namedSecretsPath,
  nodeConfigPath,
  secretsPath,
} from './files/layout.ts'
import { digest, type ManifestRepair } from './files/manifest.ts'
import { parseNamedSecrets } from './files/named-secrets-file.ts'
import { openBundle, sealBundle } from './files/recovery-bundle.ts'
import { createSecretFiles, isSealed, type SecretFiles } from './files/secret-files.ts'
import {
  buildGeneration,
  type Generation,
  type ReadOptions,
  verifyGeneration,
} from './generation.ts'
import type { CommitNote } from './git/branch-history.ts'
import type { PrivateRepository } from './git/private-repository.ts'
import {
  type BreakOptions,
  breakLock,
  type FoundLock,
  findLock,
  type WatchOptions,
  watchLock,
} from './lock/break-lock.ts'
import { type ClaimOptions, claimLock } from './lock/claim-lock.ts'
import type { HeldLock } from './lock/held-lock.ts'
import {
  applyFiles,
  type GenerationContext,
  type NextGeneration,
  nextGeneration,
  type StateChanges,
} from './state-changes.ts'
import { auditState, type StateAudit } from './trust/audit-state.ts'
import type { AgeIdentity } from './trust/identity.ts'
import { hasRecentDamage } from './trust/recent-damage.ts'
import { createStateTrust, type StateTrust, type TrustKind } from './trust/state-trust.ts'

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
  /** Whether whom the cluster file names no more is about to be dropped, instead of refused. */
  readonly dropsRecipients?: boolean | undefined
  /** What of a machine config is encrypted: its secrets where absent. */
  readonly encrypt?: 'secrets' | 'all' | undefined
  readonly writer: RunIdentity
  readonly toolVersion: string
  readonly clock: Clock
  readonly random: Random
  readonly redactor: Redactor
  readonly signal?: AbortSignal | undefined
}

export interface RepairOptions {
  /** A generation that is as it was written. */
  readonly base: Generation
  readonly repair: ManifestRepair
  readonly fact: Fact
  /** The newest generation that is known to have been: what is written comes after it. */
  readonly above: number
}

export interface RestoreOptions {
  /** The newest generation that is known from elsewhere; what is restored comes after it. */
  readonly above: number | undefined
  /** What the journal says of it. */
  readonly fact: Fact
  /**
   * Asked about what is on the branch already: whether that is this very bundle's, or to be gone on from with what the
   * bundle holds. Throws where neither is so.
   */
  readonly judge: (present: Generation) => 'done' | 'replace'
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

  /** The cluster's lock, where this run has it. */
  get heldLock(): HeldLock | undefined {
    return this.#branch.lock
  }

  /** The generation that was read or written last, without asking the remote. */
  get known(): Generation | undefined {
    return this.#branch.known?.generation
  }

  /** The commit that was read or written last; undefined before that, and when there is no branch. */
  get head(): string | undefined {
    return this.#branch.known?.head
  }

  /** Whether every secret file of a generation is encrypted for today's recipients and nobody else. Throws `identity-missing`. */
  isSealedForToday({ files }: Generation): boolean {
    return [...files].every(
      ([path, content]) => !isSealed(path) || this.#secretFiles.isCurrent(path, content),
    )
  }

  /** The secret files of a generation that one of some identities opens. */
  openedBy({ files }: Generation, identities: readonly AgeIdentity[]): Promise<string[]> {
    return this.#secretFiles.openedBy(identities, files)
  }

  /**
   * The newest generation, from the remote; undefined when the branch or the cluster on it does not exist.
   * Throws `state-foreign`, `state-unreachable`, and a code of its own for each way in which it is not what
   * was written.
   */
  async read(): Promise<Generation | undefined> {
    return (await this.#branch.fetch()).generation
  }

  /** The names of all clusters on the branch, at the head that was read or written last; none where there is no branch. */
  async clusters(): Promise<readonly string[]> {
    const { head } = this.#branch.known ?? (await this.#branch.fetch())
    if (head === undefined) return []
    const entries = await this.#serially(() => this.#repository.listTree(head))
    return new BranchShape(entries).clusters
  }

  /**
   * The secrets bundle as YAML, of this generation or of the one that was read or written last; undefined when there
   * is none. Throws `identity-missing`, `state-undecryptable`, `state-corrupt`: none of them ever means "none".
   */
  readSecrets(generation?: Generation): Promise<string | undefined> {
    return this.#open(secretsPath, generation)
  }

  /** Whether this run has an identity at all: without one, no secret can be read. */
  get hasIdentity(): boolean {
    return (this.#options.identities ?? []).length > 0
  }

  /** The values of the named secrets, likewise; none where none was ever set. */
  async readNamedSecrets(generation?: Generation): Promise<NamedSecrets> {
    const text = await this.#open(namedSecretsPath, generation)
    if (text === undefined) return new Map()
    return parseNamedSecrets(text, `${this.#options.clusterName}/${namedSecretsPath}`)
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
    const target = { ...this.#lockTarget, cluster: this.#options.clusterName }
    const lock = await claimLock(target, options, this.#lockEnvironment, this.#serially)
    this.#branch.lock = lock
    void lock.heartbeat()
    return lock
  }

  /**
   * Makes one commit without a past of all that is on the branch: a generation of this cluster that records the
   * former head (fact `history-compacted`), and the other clusters as they are. On condition that nobody was
   * faster, like every write; `state-push-refused` where the repository takes no such push.
   */
  async compact(fact: (formerHead: string) => Fact): Promise<Generation> {
    const written = await this.#branch.write(async ({ head, generation }) => {
      if (head === undefined || !generation) throw new Error('there is nothing to compact')
      const next = await this.#next(generation, { facts: [fact(head)] })
      return { ...this.#propose(generation, next), isRoot: true }
    }, 'Compact the history')
    if (!written) throw new Error('a compacted branch has lost its cluster')
    return written
  }

  /**
   * Writes the next generation upon a branch that is damaged, or whose history is: the files of `base` and
   * nothing of what is not signed, with what `repair` says in its manifest. What no state branch has goes. Undefined
   * when the branch has moved since it was audited. Throws what signing does.
   */
  async repair(
    audit: StateAudit,
    { base, repair, fact, above }: RepairOptions,
  ): Promise<Generation | undefined> {
    if (audit.head === undefined) throw new Error('there is nothing to repair upon')
    const next = await this.#next(base, { facts: [fact] }, { above, repair })
    if (!next) throw new Error('a repair writes nothing')
    return await this.#takePlace(audit, allOf(base, next), 'Repair the history')
  }

  /**
   * Begins the state over from what is known from elsewhere, in the place of one that is not believed or that nobody
   * opens: one commit holds the new generation and nothing of the former, and no file that no state branch has. Other
   * clusters and the history stay. Undefined when the branch has moved since it was audited. Throws what signing does,
   * before anything is written.
   */
  async startOver(
    audit: StateAudit,
    changes: StateChanges,
    message: string,
  ): Promise<Generation | undefined> {
    const next = await this.#next(undefined, changes, { previous: manifestDigest(audit.newest) })
    if (!next) throw new Error('a state that begins over writes nothing')
    return await this.#takePlace(audit, next, message)
  }

  /** Who git says made commits of the branch; anybody can write anything there. */
  commitsOf(commits: readonly string[]): Promise<CommitNote[]> {
    return this.#serially(() => this.#repository.notesOf(commits))
  }

  /** All of a generation as one file for today's recipients. Throws `identity-missing` where there are none. */
  bundle({ files }: Generation): Promise<Uint8Array> {
    return sealBundle(this.#options.clusterName, files, this.#secretFiles.ageRecipients)
  }

  /**
   * The generation in a bundle, verified like one on the branch. Throws `bundle-invalid`, `identity-missing`,
   * `state-undecryptable`, and what reading does.
   */
  async openBundle(bundle: Uint8Array): Promise<Generation> {
    const { clusterName: cluster, identities = [] } = this.#options
    const files = await openBundle(cluster, bundle, identities)
    return verifyGeneration('', files, this.#reading)
  }

  /**
   * Begins the cluster's state over from a generation out of a bundle: encrypted for today's recipients, signed by
   * this run, and numbered so that what the provider remembers does not stand against it. What is on the branch already
   * is never replaced unless `judge` says so. Again after it was done, it does nothing.
   */
  async restore(base: Generation, options: RestoreOptions): Promise<Generation> {
    const restored = await this.#branch.write(async ({ generation: present }) => {
      if (present && options.judge(present) === 'done') return this.#propose(present, undefined)
      const next = await this.#restored(base, options, present)
      const gone = [...(present?.files.keys() ?? [])].filter((path) => !next.files.has(path))
      const files = new Map([...gone.map((path) => [path, undefined] as const), ...next.files])
      return this.#propose(present, { ...next, files })
    }, 'Restore the state from a bundle')
    if (!restored) throw new Error('a restored state is not there')
    return restored
  }

  /**
   * The same in the place of a state that is not believed, and of what no state branch has. Undefined when the branch
   * has moved since it was audited.
   */
  async restoreUpon(
    audit: StateAudit,
    base: Generation,
    options: Omit<RestoreOptions, 'judge'>,
  ): Promise<Generation | undefined> {
    const next = await this.#restored(base, options, audit.newest)
    return await this.#takePlace(audit, next, 'Restore the state from a bundle')
  }

  /** All files of a bundle as the next generation, behind what is there: the history says what took whose place. */
  async #restored(
    base: Generation,
    { above = 0, fact }: Omit<RestoreOptions, 'judge'>,
    present: Generation | undefined,
  ): Promise<NextGeneration> {
    const reached = Math.max(above, present?.manifest.generation ?? 0)
    const place = { above: reached, previous: manifestDigest(present) }
    const next = await this.#next(base, { reseal: true, facts: [fact] }, place)
    if (!next) throw new Error('a restored state writes nothing')
    return allOf(base, next)
  }

  /** What stands at the cluster's lock; undefined where nobody holds it. Changes nothing. */
  findLock(options: BreakOptions): Promise<FoundLock | undefined> {
    return this.#serially(() => findLock(this.#lockTarget, options, this.#lockEnvironment))
  }

  /** Watches the cluster's lock until it is clear whether it may be broken. Changes nothing. */
  watchLock(options: WatchOptions): Promise<FoundLock | undefined> {
    return watchLock(this.#lockTarget, options, this.#lockEnvironment)
  }

  /** Takes away a lock of which `findLock` or `watchLock` says why it may be broken; false when it has moved since. */
  breakLock(found: FoundLock): Promise<boolean> {
    return this.#serially(() => breakLock(this.#lockTarget.ref, found, this.#lockEnvironment))
  }

  get #lockTarget() {
    const { branch, clusterName: cluster, writer: owner } = this.#options
    return { ref: lockRef(branch, cluster), owner }
  }

  get #lockEnvironment() {
    return { ...this.#options, repository: this.#repository }
  }

  /** Whether one of the last commits of the branch looks like nobody's run; an audit says what it is. */
  hasRecentDamage(): Promise<boolean> {
    return this.#serially(() => hasRecentDamage(this.#repository, this.#reading))
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

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #open(path: string, generation?: Generation): Promise<string | undefined> {
    const held = generation ?? (this.#branch.known ?? (await this.#branch.fetch())).generation
    const content = held?.files.get(path)
    return content && (await this.#secretFiles.open(path, content))
  }

  #next(
    generation: Generation | undefined,
    changes: StateChanges,
    place: Pick<GenerationContext, 'above' | 'previous' | 'repair'> = {},
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
      ...place,
    })
  }

  /** Writes a generation with all of its files upon an audited branch, and takes off whatever else is in its folder. */
  async #takePlace(
    { head, foreign, present }: StateAudit,
    next: NextGeneration,
    message: string,
  ): Promise<Generation | undefined> {
    const gone = present.filter((path) => !next.files.has(path))
    const files = new Map([...gone.map((path) => [path, undefined] as const), ...next.files])
    const dropsForeign = foreign.length > 0
    const proposal = { ...this.#propose(undefined, next), files, dropsForeign }
    return (await this.#branch.writeUpon(head, proposal, message)) ? this.known : undefined
  }

  #propose(generation: Generation | undefined, next: NextGeneration | undefined): Proposal {
    if (!next) return { files: undefined, manifest: undefined, after: () => generation }
    const { manifest, files } = next
    const after = (commit: string) =>
      buildGeneration(commit, manifest, applyFiles(generation?.files, files))
    return { files, manifest, after }
  }
}

/** What comes after a generation, with the files that it keeps. */
function allOf(base: Generation, next: NextGeneration): NextGeneration {
  return { ...next, files: applyFiles(base.files, next.files) }
}

/** With which hash the next manifest names the one before it. */
function manifestDigest(generation: Generation | undefined): string | undefined {
  const manifest = generation?.files.get(manifestPath)
  return manifest && digest(manifest)
}
