import { type ClusterError, isClusterError } from '../../lib/cluster-error.ts'
import { BranchShape } from '../files/branch-shape.ts'
import type { FactName } from '../files/journal.ts'
import { manifestPath, signaturePath, stateRef } from '../files/layout.ts'
import { digest } from '../files/manifest.ts'
import { type Generation, type ReadOptions, verifyGeneration } from '../generation.ts'
import type { HistoryCommit } from '../git/branch-history.ts'
import type { PrivateRepository } from '../git/private-repository.ts'
import { refuseOtherPast, type StateAnchor } from './refuse-older.ts'
import { stateDamage } from './state-damage.ts'
import { verifyManifest } from './verify-manifest.ts'

/** What is wrong with one commit of a state branch. */
export interface AuditProblem {
  readonly commit: string
  readonly error: ClusterError
  /** What the commit changed on the branch. */
  readonly paths: readonly string[]
}

/** A problem that somebody with the key looked at, and signed for. */
export interface AcceptedProblem extends AuditProblem {
  /** The generation that accepts it, and why, as its manifest says. */
  readonly by: number
  readonly reason: string
}

/** A state branch as it was found, commit by commit, for one cluster. */
export interface StateAudit {
  readonly head: string | undefined
  readonly commits: number
  /** Those that are as they were written, the oldest first. */
  readonly generations: readonly Generation[]
  /** Empty for a branch on which everything is as it was written, or accepted. */
  readonly problems: readonly AuditProblem[]
  readonly accepted: readonly AcceptedProblem[]
  /** The first generation in the history; more than 1 where what came before was cut off. */
  readonly begins: number | undefined
  /** The newest generation in its line that is as it was written, wherever the branch stands now. */
  readonly newest: Generation | undefined
  /** The last one of the cluster, where its folder was taken off the branch: by a destroy, or by somebody. */
  readonly ended: Generation | undefined
  /** The commit that took it off. */
  readonly endedBy: string | undefined
  /** Whether the branch stands at that one now. */
  readonly isAtNewest: boolean
  /**
   * How far the signatures on the branch go for the cluster of `newest` or `ended`, those of files that were damaged
   * since among them; what a former key signed says nothing.
   */
  readonly signedUpTo: StateAnchor | undefined
  /** Whether a manifest is signed by no former key, and cannot be read: a newer version may have written it. */
  readonly isPartlyUnreadable: boolean
  /** The clusters that the branch holds now, by name. */
  readonly clusters: readonly string[]
  /** What stands on the branch now that no state branch has. */
  readonly foreign: readonly string[]
  /** The paths in the cluster's folder as it is now. */
  readonly present: readonly string[]
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
  const { generations, newest, ended, endedBy, isAtNewest, signedUpTo, isPartlyUnreadable } = line
  return {
    head,
    commits: history.length,
    generations,
    ...settle(line.problems, generations),
    begins: generations[0]?.manifest.generation,
    newest,
    ended,
    endedBy,
    isAtNewest,
    signedUpTo,
    isPartlyUnreadable,
    clusters: shape.clusters,
    foreign: shape.foreignPaths,
    present: [...shape.filesOf(options.cluster).keys()],
  }
}

/** What a later generation signed for is no problem any more: by commit and code, and nothing else of that commit. */
function settle(
  found: readonly AuditProblem[],
  generations: readonly Generation[],
): Pick<StateAudit, 'problems' | 'accepted'> {
  const signed = new Map(
    generations.flatMap(({ manifest: { generation: by, repair } }) =>
      (repair?.accepted ?? []).map(
        ({ commit, code }) => [`${commit} ${code}`, { by, reason: repair?.reason ?? '' }] as const,
      ),
    ),
  )
  const keyed = found.map((problem) => ({
    problem,
    by: signed.get(`${problem.commit} ${problem.error.code}`),
  }))
  return {
    problems: keyed.flatMap(({ problem, by }) => (by ? [] : [problem])),
    accepted: keyed.flatMap(({ problem, by }) => (by ? [{ ...problem, ...by }] : [])),
  }
}

/** Facts of a generation that say why it is the first of what there is, or comes after a gap. */
const beginnings: readonly FactName[] = ['history-compacted', 'state-imported', 'state-recovered']

/** Whether a generation says itself, as its newest fact or in its manifest, why it does not follow the one before. */
function explainsItself({ journal, manifest }: Generation): boolean {
  const fact = journal.at(-1)?.fact
  return manifest.repair !== undefined || (fact !== undefined && beginnings.includes(fact))
}

const manifestDigest = ({ files }: Generation) =>
  digest(files.get(manifestPath) ?? new Uint8Array())

/** The cluster's generations in the order of the branch, each compared with the one before. */
class AuditedLine {
  readonly generations: Generation[] = []
  readonly problems: AuditProblem[] = []
  isAtNewest = false
  ended: Generation | undefined
  endedBy: string | undefined
  readonly #options: ReadOptions
  /** What manifests with a good signature say of themselves, by uid: several clusters of this name may have been. */
  readonly #signed = new Map<string, StateAnchor[]>()
  /** The epochs of those who signed what cannot be read. */
  readonly #unreadable: (number | undefined)[] = []
  /** The newest epoch that a good signature was of. */
  #epoch = 0
  /** Those of clusters of this name that were destroyed, with the generation that they came to. */
  readonly #formerUids = new Map<string, number>()
  #last: Generation | undefined

  constructor(options: ReadOptions) {
    this.#options = options
  }

  get newest(): Generation | undefined {
    return this.#last
  }

  get signedUpTo(): StateAnchor | undefined {
    const line = this.#last ?? this.ended
    const signed = (line && this.#signed.get(line.manifest.uid)) ?? []
    if (signed.length === 0) return undefined
    const keyEpoch = Math.max(...signed.map((each) => each.keyEpoch))
    // Whoever has a former key may sign any number with it.
    const present = signed.filter((each) => each.keyEpoch === keyEpoch)
    return { generation: Math.max(...present.map(({ generation }) => generation)), keyEpoch }
  }

  get isPartlyUnreadable(): boolean {
    return this.#unreadable.some((epoch) => epoch === undefined || epoch >= this.#epoch)
  }

  take(
    { commit, parents, changes }: HistoryCommit,
    shape: BranchShape,
    contents: ReadonlyMap<string, Uint8Array>,
  ): void {
    const { cluster, branch } = this.#options
    const paths = changes.map(({ path }) => path)
    const report = (work: () => void): boolean => {
      try {
        work()
        return true
      } catch (error) {
        if (!isClusterError(error)) throw error
        this.problems.push({ commit, error, paths })
        return false
      }
    }
    const isOurs = report(() => shape.assertOurs(branch))
    if (parents.length > 1) report(() => fail(broken(branch, 'a commit of it is a merge')))
    if (paths.some((path) => path.startsWith(`${cluster}/`))) {
      const own = shape.filesOf(cluster)
      if (own.size === 0) this.#end(commit)
      else {
        const files = new Map(
          [...own].map(([path, { object }]) => [path, contents.get(object) ?? new Uint8Array()]),
        )
        this.#isComplete = false
        report(() => {
          this.#noteSigned(files)
          this.#add(verifyGeneration(commit, files, this.#options, shape))
        })
      }
    }
    this.isAtNewest = isOurs && this.#isComplete
  }

  #isComplete = false

  #add(generation: Generation): void {
    const { problem, isNext } = this.#judge(generation)
    if (isNext) {
      this.#last = generation
      this.ended = undefined
      this.endedBy = undefined
      this.generations.push(generation)
    }
    this.#isComplete = isNext
    if (problem) throw problem
  }

  #end(commit: string): void {
    if (this.#last) this.#formerUids.set(this.#last.manifest.uid, this.#last.manifest.generation)
    this.ended = this.#last ?? this.ended
    this.endedBy = commit
    this.#last = undefined
    this.#isComplete = false
  }

  /** Remembers how far signatures go, although the files that they are about may be damaged. */
  #noteSigned(files: ReadonlyMap<string, Uint8Array>): void {
    try {
      const { uid, generation, keyEpoch } = verifyManifest(files, this.#options)
      this.#signed.set(uid, [...(this.#signed.get(uid) ?? []), { generation, keyEpoch }])
      this.#epoch = Math.max(this.#epoch, keyEpoch)
    } catch (error) {
      if (!isClusterError(error)) throw error
      if (error.code !== 'state-manifest-unreadable') return
      const { cluster, trust } = this.#options
      const manifest = files.get(manifestPath) ?? new Uint8Array()
      const signer = trust.verify(manifest, files.get(signaturePath), cluster)
      this.#unreadable.push(trust.epochOf(signer))
    }
  }

  /**
   * What is wrong with a generation at its place, and whether the line continues from it. From one whose past is missing
   * it does, since its key holder wrote it after all that is known; never from one that goes back, or is of another
   * cluster.
   */
  #judge(next: Generation): Judgement {
    const { cluster, uid, generation } = next.manifest
    const ended = this.#formerUids.get(uid)
    if (ended !== undefined && !(explainsItself(next) && generation > ended)) {
      const message = `the state of a cluster that was destroyed (uid ${uid}) came back`
      return { problem: stateDamage('state-rolled-back', cluster, message), isNext: false }
    }
    if (this.#last) return follow(this.#last, next)
    // Whoever has a former key may begin whatever they like with it.
    if (this.#options.trust.kind === 'named' && next.manifest.keyEpoch < this.#epoch) {
      const message = `the state starts over under a former key (epoch ${next.manifest.keyEpoch}), and was of epoch ${this.#epoch}`
      return { problem: stateDamage('state-rolled-back', cluster, message), isNext: false }
    }
    return this.#begin(next)
  }

  #begin(next: Generation): Judgement {
    const { cluster, generation, previous } = next.manifest
    if ((generation === 1 && previous === null) || explainsItself(next)) return { isNext: true }
    const why =
      this.#formerUids.size > 0
        ? `it starts over with generation ${generation}`
        : `it begins with generation ${generation}, and nothing records what became of those before`
    return { problem: broken(cluster, why), isNext: true }
  }
}

interface Judgement {
  readonly problem?: ClusterError
  readonly isNext: boolean
}

function follow(last: Generation, next: Generation): Judgement {
  const { cluster, uid, generation, previous } = next.manifest
  if (uid !== last.manifest.uid) {
    // Its predecessor was brought back by a branch that was forced back, and it took that place by an import or a recovery.
    if (explainsItself(next) && generation > last.manifest.generation) return { isNext: true }
    return { problem: broken(cluster, `its uid changed to ${uid}`), isNext: false }
  }
  const gap = generation - last.manifest.generation
  try {
    refuseOtherPast(last, next)
  } catch (error) {
    if (!isClusterError(error)) throw error
    return { problem: error, isNext: error.code === 'state-chain-broken' && gap > 0 }
  }
  if (gap <= 1) return { isNext: true }
  if (explainsItself(next) && previous === manifestDigest(last)) return { isNext: true }
  const why = `${gap - 1} generations before ${generation} are missing`
  return { problem: broken(cluster, why), isNext: true }
}

function fail(error: ClusterError): never {
  throw error
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
