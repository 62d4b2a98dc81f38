import { type ClusterError, isClusterError } from '../lib/cluster-error.ts'
import { BranchShape } from './branch-shape.ts'
import { type Generation, type ReadOptions, verifyGeneration } from './generation.ts'
import type { HistoryCommit } from './git/branch-history.ts'
import type { PrivateRepository } from './git/private-repository.ts'
import { stateRef } from './layout.ts'
import { refuseOtherPast } from './refuse-older.ts'
import { stateDamage } from './state-damage.ts'

/** What is wrong with one commit of a state branch. */
export interface AuditProblem {
  readonly commit: string
  readonly error: ClusterError
}

/** A state branch as it was found, commit by commit, for one cluster. */
export interface StateAudit {
  readonly head: string | undefined
  readonly commits: number
  /** Those that are as they were written, the oldest first. */
  readonly generations: readonly Generation[]
  /** Empty for a branch on which everything is as it was written. */
  readonly problems: readonly AuditProblem[]
  /** The first generation in the history; more than 1 where what came before was cut off. */
  readonly begins: number | undefined
  /** The clusters that the branch holds now, by name. */
  readonly clusters: readonly string[]
}

/** More than any history has: the whole of it, also for a repository that had only its end. */
const wholeHistory = 2_147_483_647

/**
 * Verifies every commit of a state branch for one cluster: signature, place and files of each generation, and
 * that each follows the former without a gap. Asks the remote for its commits and nobody for anything else. Finds
 * all problems instead of stopping at the first. Throws `state-unreachable`.
 */
export async function auditState(
  repository: PrivateRepository,
  options: ReadOptions,
): Promise<StateAudit> {
  const head = await repository.fetch(stateRef(options.branch), wholeHistory)
  const history = head === undefined ? [] : await repository.history(head)
  const line = new AuditedLine(options)
  const shape = new BranchShape()
  const contents = await readOwnFiles(repository, history, options.cluster)
  for (const commit of history) {
    for (const { path, mode, object } of commit.changes) {
      if (object === undefined) shape.remove(path)
      else shape.add({ path, mode, object })
    }
    line.take(commit, shape, contents)
  }
  const { generations, problems } = line
  const begins = generations[0]?.manifest.generation
  const { clusters } = shape
  return { head, commits: history.length, generations, problems, begins, clusters }
}

/** The cluster's generations in the order of the branch, each held against the one before. */
class AuditedLine {
  readonly generations: Generation[] = []
  readonly problems: AuditProblem[] = []
  readonly #options: ReadOptions
  /** Those of clusters of this name that were destroyed. */
  readonly #formerUids = new Set<string>()
  #last: Generation | undefined

  constructor(options: ReadOptions) {
    this.#options = options
  }

  take(
    { commit, parents, changes }: HistoryCommit,
    shape: BranchShape,
    contents: ReadonlyMap<string, Uint8Array>,
  ): void {
    const folder = `${this.#options.cluster}/`
    try {
      shape.assertOurs(this.#options.branch)
      if (parents.length > 1) throw broken(this.#options.branch, 'a commit of it is a merge')
      if (!changes.some(({ path }) => path.startsWith(folder))) return
      const own = shape.filesOf(this.#options.cluster)
      if (own.size === 0) {
        this.#end()
        return
      }
      const files = new Map(
        [...own].map(([path, { object }]) => [path, contents.get(object) ?? new Uint8Array()]),
      )
      const generation = verifyGeneration(commit, files, this.#options, shape)
      this.#follow(generation)
      this.#last = generation
      this.generations.push(generation)
    } catch (error) {
      if (!isClusterError(error)) throw error
      this.problems.push({ commit, error })
    }
  }

  #end(): void {
    if (this.#last) this.#formerUids.add(this.#last.manifest.uid)
    this.#last = undefined
  }

  #follow(next: Generation): void {
    const { cluster, uid, generation, previous } = next.manifest
    if (this.#formerUids.has(uid)) {
      const message = `the state of a cluster that was destroyed (uid ${uid}) came back`
      throw stateDamage('state-rolled-back', cluster, message)
    }
    if (this.#last) {
      refuseOtherPast(this.#last, next)
      const gap = generation - this.#last.manifest.generation
      if (gap > 1) throw broken(cluster, `${gap - 1} generations before ${generation} are missing`)
      if (uid !== this.#last.manifest.uid) throw broken(cluster, `its uid changed to ${uid}`)
      return
    }
    const isFirst = generation === 1 && previous === null
    // What was cut off before the first commit cannot be seen from here, and is told as it is.
    if (!isFirst && this.#formerUids.size > 0) {
      throw broken(cluster, `it begins anew with generation ${generation}`)
    }
  }
}

function broken(target: string, why: string): ClusterError {
  return stateDamage('state-chain-broken', target, `the history of the state has a break: ${why}`)
}

/** Every version that the cluster's files ever had, by object. */
async function readOwnFiles(
  repository: PrivateRepository,
  history: readonly HistoryCommit[],
  cluster: string,
): Promise<Map<string, Uint8Array>> {
  const objects = history.flatMap(({ changes }) =>
    changes.flatMap(({ path, mode, object }) =>
      object !== undefined && mode === '100644' && path.startsWith(`${cluster}/`) ? [object] : [],
    ),
  )
  const distinct = [...new Set(objects)]
  const contents = await repository.readObjects(distinct)
  return new Map(distinct.map((object, index) => [object, contents[index] ?? new Uint8Array()]))
}
