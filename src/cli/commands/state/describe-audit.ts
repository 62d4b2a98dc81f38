import type { VerifiedState } from '../../../commands/modes/verify-in-mode.ts'
import type { Json } from '../../../lib/json.ts'
import { visibleLine } from '../../../lib/visible-text.ts'

type Generation = VerifiedState['generations'][number]

/** What `verify` prints: the verdict, and a line for each problem. */
export function describeAudit(state: VerifiedState): string {
  const { branch, clusterName, commits, generations, problems, accepted, begins, trust } = state
  const last = generations.at(-1)?.manifest.generation
  const span = last === undefined ? 'no generation' : `generations ${begins} to ${last}`
  const lines = [
    `${branch}: ${commits} commits, ${span} of ${clusterName}`,
    ...accepted.map(
      ({ commit, error, by, reason }) =>
        `  ${commit.slice(0, 12)} [${error.code}] ${visibleLine(`${error.message}; generation ${by} accepts it: ${reason}`)}`,
    ),
    ...problems.map(
      ({ commit, error }) =>
        `  ${commit.slice(0, 12)} [${error.code}] ${visibleLine(error.message)}`,
    ),
    ...generations.flatMap((generation, index) => explain(generation, index)),
  ]
  if (trust === 'nobody') {
    lines.push(
      '  state.signer is not set and there is no identity: a branch that is consistent proves nothing about who wrote it',
    )
  }
  lines.push(...(problems.length === 0 ? verdict(state) : []))
  return `${lines.filter((line) => line !== '').join('\n')}\n`
}

/** What can be said of a branch without a problem; no more than was looked at. */
function verdict(state: VerifiedState): string[] {
  const { answer, accepted, newest, provider } = state
  const written =
    accepted.length === 0
      ? 'Everything is as it was written'
      : 'Everything is as it was written, or was looked at and accepted'
  if (!newest) return [`${written}. ${gone(state)}`]
  if (answer.kind === 'not asked') {
    return [
      `${written}. Whether it is the newest was not asked: ${provider.name} remembers that, and ${notAskedBecause(provider)}.`,
    ]
  }
  if (!answer.anchor) {
    return [
      `${written}. Whether it is the newest is not known: ${provider.name} remembers no generation of this cluster; an apply writes it down when it ends.`,
    ]
  }
  return [
    `${written}, and ${provider.name} remembers nothing newer (generation ${answer.anchor.generation}).`,
  ]
}

/** A cluster that the branch has held, and does not hold now. */
function gone({
  clusterName,
  ended,
  endedBy = '',
  isProviderAsked,
  provider,
}: VerifiedState): string {
  const last = ended
    ? `generation ${ended.manifest.generation} was the last`
    : 'nothing of it is left'
  const why = isProviderAsked
    ? `There is nothing of it at ${provider.name}: it was destroyed.`
    : `By a destroy, or by hand: ${provider.name} knows which, and ${notAskedBecause(provider)}. If the cluster exists, run \`hcloud-talos repair\`.`
  return `${clusterName} is gone from the branch: ${last}, until ${endedBy.slice(0, 12)}. ${why}`
}

function notAskedBecause({ unasked: { message, fix } }: VerifiedState['provider']): string {
  return `${message} (${fix})`
}

/** Why a history begins where it does, or has a gap, as that generation says it itself. */
function explain({ journal, manifest }: Generation, index: number): string[] {
  const { generation, repair } = manifest
  if (repair?.lost != null) {
    return [
      `  generation ${generation} continues from ${repair.base}; what was up to ${repair.lost} is lost: ${visibleLine(repair.reason)}`,
    ]
  }
  const entry = journal.at(-1)
  const { head, commits, generation: from, after } = entry?.detail ?? {}
  const before = `  what was before generation ${generation} is not in the history any more`
  if (entry?.fact === 'history-compacted' && index === 0) {
    return [
      `${before}: ${entry.run} compacted ${commits ?? 'its'} commits, the last of them ${head ?? 'unknown'}`,
    ]
  }
  if (entry?.fact === 'state-imported' && manifest.writer.run === entry.run) {
    return [`${before}: ${entry.run} restored it from a bundle of generation ${from ?? 'unknown'}`]
  }
  if (entry?.fact === 'state-recovered' && manifest.writer.run === entry.run) {
    const lost =
      after === undefined || after === '0'
        ? ''
        : `, in place of a branch that was lost and had come to generation ${after}`
    return [`${before}: ${entry.run} recovered it out of the running cluster${lost}`]
  }
  return []
}

/** The same for programs. */
export function auditJson(state: VerifiedState): Json {
  return {
    branch: state.branch,
    clusterName: state.clusterName,
    head: state.head ?? null,
    commits: state.commits,
    trust: state.trust,
    begins: state.begins ?? null,
    generations: state.generations.map(({ commit, manifest }) => ({
      generation: manifest.generation,
      commit,
      keyEpoch: manifest.keyEpoch,
      run: manifest.writer.run,
      writtenAt: manifest.writtenAt,
      toolVersion: manifest.toolVersion,
      appliedCommit: manifest.appliedCommit,
    })),
    problems: state.problems.map(problemJson),
    accepted: state.accepted.map(({ by, reason, ...problem }) => ({
      ...problemJson(problem),
      by,
      reason,
    })),
    hetzner:
      state.answer.kind === 'not asked'
        ? 'not asked'
        : { generation: state.answer.anchor?.generation ?? null },
  }
}

function problemJson({ commit, error }: VerifiedState['problems'][number]) {
  return { commit, code: error.code, message: error.message, target: error.target ?? null }
}
