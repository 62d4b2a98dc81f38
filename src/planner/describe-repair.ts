import { jsonDigest } from '../lib/canonical-json.ts'
import type { ErrorCode } from '../lib/error-codes.ts'
import { toJson } from '../store/files/json-file.ts'
import type { Generation } from '../store/generation.ts'
import type { CommitNote } from '../store/git/branch-history.ts'
import type { StateAudit } from '../store/trust/audit-state.ts'
import type { StateAnchor } from '../store/trust/refuse-older.ts'

/** A commit that a repair accepts into the history, without taking over anything of it. */
export interface AcceptedCommit {
  readonly commit: string
  readonly code: ErrorCode
  readonly message: string
  /** What it changed on the branch. */
  readonly paths: readonly string[]
  /** Who git says made it, when and why; nobody vouches for that. Undefined where git does not know the commit. */
  readonly note: CommitNote | undefined
}

/** What a repair would sign for: all of it is shown before it is asked whether to. */
export interface RepairPlan {
  readonly clusterName: string
  readonly branch: string
  readonly head: string
  /** The newest generation that is as it was written: what the branch holds afterwards. */
  readonly base: {
    readonly generation: number
    readonly commit: string
    readonly writtenAt: string
    readonly run: string
  }
  /** The newest generation that is known to have been, where the base is older: what came between is lost. */
  readonly lost: number | undefined
  /** Whether the provider remembers how far the state had come. */
  readonly isAnchored: boolean
  readonly accepted: readonly AcceptedCommit[]
  /** Files of the cluster that are put back as the base has them, and those that go since it has none. */
  readonly restored: readonly string[]
  /** What no state branch has, which goes. */
  readonly removed: readonly string[]
  /** Over all of the above: a yes is one to exactly this. */
  readonly digest: string
}

export interface RepairFacts {
  readonly clusterName: string
  readonly branch: string
  readonly head: string
  readonly base: Generation
  readonly remembered: StateAnchor
  readonly isAnchored: boolean
  readonly notes: readonly CommitNote[]
}

/** What a repair of an audited branch would sign for. Pure. */
export function describeRepair(
  { problems, foreign, isAtNewest, present }: StateAudit,
  { clusterName, branch, head, base, remembered, isAnchored, notes }: RepairFacts,
): RepairPlan {
  const noteOf = new Map(notes.map((note) => [note.commit, note]))
  const accepted = problems.map(({ commit, error, paths }) => ({
    commit,
    code: error.code,
    message: error.message,
    paths,
    note: noteOf.get(commit),
  }))
  const { generation, writtenAt, writer } = base.manifest
  const touched = new Set(problems.flatMap(({ paths }) => paths))
  const there = new Set(present)
  const own = [...new Set([...present, ...base.files.keys()])].filter(
    (path) => touched.has(`${clusterName}/${path}`) || !there.has(path),
  )
  const plan = {
    clusterName,
    branch,
    head,
    base: { generation, commit: base.commit, writtenAt, run: writer.run },
    lost: remembered.generation > generation ? remembered.generation : undefined,
    isAnchored,
    accepted,
    restored: isAtNewest ? [] : own.sort(),
    removed: [...foreign],
  }
  return { ...plan, digest: jsonDigest(toJson(plan)) }
}
