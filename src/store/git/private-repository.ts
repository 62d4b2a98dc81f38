import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ClusterError } from '../../lib/cluster-error.ts'
import { fileFailure } from '../../lib/file-failure.ts'
import type { Redactor } from '../../lib/redactor.ts'
import type { RepositoryApi } from '../../lib/repository-api.ts'
import { ApiTransport } from './api-transport.ts'
import {
  type CommitNote,
  type HistoryCommit,
  noteFormat,
  parseChanges,
  parseCommits,
  parseNotes,
} from './branch-history.ts'
import { type CommitRequest, commitStream } from './commit-stream.ts'
import { type Environment, filteredRemote, gitEnvironment } from './git-environment.ts'
import { classifyGitFailure, pushRefused, remoteUnreachable } from './git-failure.ts'
import { parseBatch, parseTree, type TreeEntry } from './object-reader.ts'
import { pushArguments } from './push-arguments.ts'
import type { Remote } from './resolve-remote.ts'
import { type GitLimits, type GitResult, runGit } from './run-git.ts'

/** One ref to move: from what it is believed to be, to what it shall be. Undefined means that it is absent. */
export interface RefUpdate {
  readonly ref: string
  readonly expected: string | undefined
  readonly next: string | undefined
}

/**
 * How a push ended: done, refused because a ref was not as expected, or with nobody knowing: cut off (`unknown`), or
 * given up because the remote did not answer (`silent`).
 */
export type PushResult = 'accepted' | 'rejected' | 'unknown' | 'silent'

export interface PrivateRepositoryOptions {
  readonly remote: Remote
  readonly environment: Environment
  readonly redactor: Redactor
  /** Where temporary folders go. */
  readonly temporaryFolder: string
  readonly signal?: AbortSignal | undefined
  /** Longest time for one conversation with the remote, on the wall. */
  readonly timeoutMs?: number | undefined
  /** How much git may write; enough for any state where it is undefined. */
  readonly limits?: GitLimits | undefined
  /** How to publish where the remote takes no pushes; undefined where that is all there is. */
  readonly api?: RepositoryApi | undefined
}

/** Longest time for one push by default: a few kilobytes, and others wait for them. */
const pushTimeoutMs = 60_000

/** Longest time for publishing by the API: each of its answers has its own, and limits of use are waited for. */
const apiTimeoutMs = 420_000

const fetchQuietly = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head']

/** Makes an empty repository in a folder of its own that only this user can enter. Throws `git-missing`. */
export async function createPrivateRepository(
  options: PrivateRepositoryOptions,
): Promise<PrivateRepository> {
  const folder = await makeFolder(options.temporaryFolder)
  const repository = new PrivateRepository(folder, options)
  try {
    await repository.initialize()
  } catch (error) {
    await repository.close()
    throw error
  }
  return repository
}

/**
 * The bare repository through which a run talks with the remote that keeps the state. It has no work tree,
 * holds ciphertext only, and is gone after `close`.
 */
export class PrivateRepository {
  readonly #folder: string
  readonly #options: PrivateRepositoryOptions
  readonly #environment: Readonly<Record<string, string>>
  #transport: ApiTransport | undefined

  constructor(
    folder: string,
    options: PrivateRepositoryOptions,
    transport: ApiTransport | undefined = undefined,
  ) {
    this.#folder = folder
    this.#options = options
    this.#transport = transport
    const { environment, remote } = options
    this.#environment = gitEnvironment(environment, remote.url, remote.credentials)
  }

  /** The remote's address, fit for messages. */
  get target(): string {
    return this.#options.redactor.redact(this.#options.remote.url)
  }

  async initialize(): Promise<void> {
    const version = text(await this.#local(['version']))
    const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(version) ?? []
    if (Number(major) * 1000 + Number(minor) < 2031) {
      throw new ClusterError('git-missing', `${version.trim()} is too old`, {
        hint: 'Install git 2.31 or newer and put it on the PATH.',
      })
    }
    await this.#local(['init', '--quiet', '--bare', '--template='])
  }

  /** The newest commit of a ref, with its files and without its history; undefined when the ref is absent. */
  fetch(ref: string, depth = 1): Promise<string | undefined> {
    return this.#fetch(this.#options.remote.url, ref, depth)
  }

  /**
   * The same, without the contents of its files where the remote can leave them out (GitHub can):
   * `readObjects` gets those that are read. What is fetched does not grow with what is not ours.
   */
  fetchTree(ref: string, depth = 1): Promise<string | undefined> {
    return this.#fetch(filteredRemote, ref, depth)
  }

  async #fetch(source: string, ref: string, depth: number): Promise<string | undefined> {
    const kept = `refs/fetched/${ref}`
    const what = [`--depth=${depth}`, '--', source, `+${ref}:${kept}`]
    const result = await this.#converse([...fetchQuietly, '--force', ...what])
    if (result.code === 0) return text(await this.#local(['rev-parse', kept])).trim()
    const message = this.#messageOf(result)
    if (classifyGitFailure(message) === 'absent') return undefined
    throw this.#diskFull(message) ?? remoteUnreachable(message, this.target)
  }

  /** What refs of the remote point at; absent ones are left out. */
  async remoteRefs(refs: readonly string[]): Promise<Map<string, string>> {
    const { url } = this.#options.remote
    const result = await this.#converse(['ls-remote', '--quiet', '--', url, ...refs])
    if (result.code !== 0) throw remoteUnreachable(this.#messageOf(result), this.target)
    const lines = text(result).split('\n')
    const pairs = lines.flatMap((line): [string, string][] => {
      const [object, ref] = line.split('\t')
      return object && ref && refs.includes(ref) ? [[ref, object]] : []
    })
    return new Map(pairs)
  }

  /** The names of refs of the remote that fit one of the patterns, in which a star is any text. */
  async refsLike(patterns: readonly string[]): Promise<string[]> {
    const result = await this.#converse([
      'ls-remote',
      '--quiet',
      this.#options.remote.url,
      ...patterns,
    ])
    if (result.code !== 0) throw remoteUnreachable(this.#messageOf(result), this.target)
    return text(result)
      .split('\n')
      .flatMap((line) => line.split('\t')[1] ?? [])
  }

  /** The branch that the remote names as its own; undefined where it names none. */
  async defaultBranch(): Promise<string | undefined> {
    const args = ['ls-remote', '--quiet', '--symref', '--', this.#options.remote.url, 'HEAD']
    const result = await this.#converse(args)
    if (result.code !== 0) throw remoteUnreachable(this.#messageOf(result), this.target)
    return /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(text(result))?.[1]
  }

  async listTree(commit: string): Promise<TreeEntry[]> {
    const result = await this.#local(['ls-tree', '-r', '-z', '--full-tree', commit])
    return parseTree(result.stdout)
  }

  /** Contents of files by their ids; those that were left out are fetched, all in one go. */
  async readObjects(objects: readonly string[]): Promise<Uint8Array[]> {
    if (objects.length === 0) return []
    await this.#fetchMissing(objects)
    const result = await this.#local(['cat-file', '--batch'], `${objects.join('\n')}\n`)
    return parseBatch(result.stdout)
  }

  async #fetchMissing(objects: readonly string[]): Promise<void> {
    const list = ['cat-file', '--batch-check=%(objectname)', '--batch-all-objects', '--unordered']
    const present = new Set(text(await this.#local(list)).split('\n'))
    const missing = objects.filter((object) => !present.has(object))
    if (missing.length === 0) return
    // Nothing is negotiated: what is asked for is exactly what is not here.
    const args = ['-c', 'fetch.negotiationAlgorithm=noop', ...fetchQuietly, '--filter=blob:none']
    const result = await this.#converse(
      [...args, '--stdin', '--', filteredRemote],
      `${missing.join('\n')}\n`,
    )
    if (result.code === 0) return
    const message = this.#messageOf(result)
    throw this.#diskFull(message) ?? remoteUnreachable(message, this.target)
  }

  /** The commits that lead to one which was fetched with its history, the oldest first, along first parents. */
  async history(commit: string): Promise<HistoryCommit[]> {
    const list = ['rev-list', '--first-parent', '--reverse', '--parents', commit]
    const commits = parseCommits(text(await this.#local(list)))
    const args = ['diff-tree', '--stdin', '-r', '--root', '-m', '--raw', '-z', '--no-abbrev']
    // Against its first parent alone, also where somebody merged.
    const input = commits.map(({ commit: id, parents: [first] }) =>
      first ? `${id} ${first}\n` : `${id}\n`,
    )
    const { stdout } = await this.#local([...args, '--no-renames'], input.join(''))
    const changes = parseChanges(stdout)
    return commits.map((each) => ({ ...each, changes: changes.get(each.commit) ?? [] }))
  }

  /** What git says of commits that were fetched. */
  async notesOf(commits: readonly string[]): Promise<CommitNote[]> {
    if (commits.length === 0) return []
    const args = ['log', '--no-walk=unsorted', '--stdin', `--format=${noteFormat}`]
    return parseNotes(text(await this.#local(args, `${commits.join('\n')}\n`)))
  }

  /**
   * Publishes by the remote's API from now on; false where that is not possible, or is done already. Commits
   * that were made before have to be recreated.
   */
  publishByApi(): boolean {
    const { api } = this.#options
    if (!api || this.#transport) return false
    this.#transport = new ApiTransport(api, this)
    return true
  }

  /** The tree of a commit of the remote with its files; fetches it where it is not here. */
  async treeOf(commit: string): Promise<{ tree: string; entries: TreeEntry[] }> {
    const present = await this.#git(['cat-file', '-e', `${commit}^{tree}`])
    if (present.code !== 0) await this.fetch(commit)
    const tree = text(await this.#local(['rev-parse', `${commit}^{tree}`])).trim()
    return { tree, entries: await this.listTree(commit) }
  }

  /** Makes commits, dated `now`, and returns their ids in the same order. No ref moves. */
  async commit(commits: readonly CommitRequest[], now: number): Promise<string[]> {
    if (this.#transport) return this.#transport.commit(commits, this.#conversation())
    const args = ['fast-import', '--quiet', '--done', '--force', '--date-format=raw']
    const ids = text(await this.#local(args, commitStream(commits, now)))
      .trim()
      .split('\n')
    if (ids.length !== commits.length) throw new Error('git fast-import did not name its commits')
    return ids
  }

  /** Whether `commit` is `tip` or stands within the last `depth` commits before it on the remote's `ref`. */
  async contains(ref: string, commit: string, depth: number): Promise<boolean> {
    const tip = await this.fetchTree(ref, depth)
    if (tip === undefined) return false
    const result = await this.#git(['merge-base', '--is-ancestor', commit, tip])
    return result.code === 0
  }

  /**
   * Moves all refs or none, and only if each is where it is expected to be. Throws `state-push-refused`
   * when rights or rules of the remote stand against it.
   */
  async push(updates: readonly RefUpdate[]): Promise<PushResult> {
    if (this.#transport) return this.#transport.push(updates, this.#conversation())
    const { remote, timeoutMs = pushTimeoutMs } = this.#options
    const result = await this.#git(pushArguments(remote.url, updates), undefined, timeoutMs)
    if (result.code === 0) return 'accepted'
    if (result.code === undefined) return 'silent'
    const message = this.#messageOf(result)
    switch (classifyGitFailure(message)) {
      case 'rejected':
        return 'rejected'
      case 'refused':
        throw pushRefused(message, this.target)
      case 'absent':
      case 'unknown':
        return 'unknown'
    }
  }

  /** The same repository for the last words of a run, in this time altogether; no interruption cuts them short. */
  uninterrupted(timeoutMs: number): PrivateRepository {
    const options = { ...this.#options, signal: AbortSignal.timeout(timeoutMs), timeoutMs }
    return new PrivateRepository(this.#folder, options, this.#transport)
  }

  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }

  #converse(args: readonly string[], input?: string): Promise<GitResult> {
    return this.#git(args, input, this.#options.timeoutMs)
  }

  /** Ends what is being asked of the API when the run ends, or when it takes too long. */
  #conversation(): AbortSignal {
    const { signal, timeoutMs = apiTimeoutMs } = this.#options
    const timeout = AbortSignal.timeout(timeoutMs)
    return signal ? AbortSignal.any([signal, timeout]) : timeout
  }

  async #local(args: readonly string[], input?: Uint8Array | string): Promise<GitResult> {
    const result = await this.#git(args, input)
    if (result.code === 0) return result
    const message = this.#messageOf(result)
    if (result.tooLarge) throw remoteUnreachable(message, this.target)
    throw this.#diskFull(message) ?? new Error(`git ${args[0]} failed: ${message}`)
  }

  #git(args: readonly string[], input?: Uint8Array | string, timeoutMs?: number) {
    return runGit(args, {
      environment: this.#environment,
      gitDirectory: this.#folder,
      input,
      timeoutMs,
      signal: this.#options.signal,
      limits: this.#options.limits,
    })
  }

  #messageOf(result: GitResult): string {
    const all = `${text(result)}\n${result.stderr}`.trim()
    const { tooLarge, code } = result
    const why = tooLarge
      ? `what the remote has was not read to its end: ${tooLarge.message}`
      : 'git took too long and was ended'
    const message = code === undefined ? `${all.slice(0, 2_000)}\n${why}` : all
    return this.#options.redactor.redact(message)
  }

  #diskFull(message: string): ClusterError | undefined {
    return /no space left on device|disk quota exceeded/i.test(message)
      ? new ClusterError('disk-full', 'the disk with the temporary folder is full', {
          hint: 'Make room, or point TMPDIR at another disk.',
          target: this.#options.temporaryFolder,
        })
      : undefined
  }
}

async function makeFolder(parent: string): Promise<string> {
  try {
    return await mkdtemp(join(parent, 'hcloud-talos-'))
  } catch (error) {
    throw fileFailure(error, parent, {
      operation: 'make a temporary folder',
      hint: 'Point TMPDIR at another folder.',
    })
  }
}

function text(result: GitResult): string {
  return Buffer.from(result.stdout).toString('utf8')
}
