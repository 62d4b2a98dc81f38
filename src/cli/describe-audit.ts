import type { VerifiedState } from '../commands/verify-state.ts'
import type { Json } from '../lib/json.ts'

/** What `verify` prints: the verdict, and a line for each problem. */
export function describeAudit(state: VerifiedState): string {
  const { branch, clusterName, commits, generations, problems, begins, trust } = state
  const last = generations.at(-1)?.manifest.generation
  const span = last === undefined ? 'no generation' : `generations ${begins} to ${last}`
  const lines = [
    `${branch}: ${commits} commits, ${span} of ${clusterName}`,
    ...problems.map(
      ({ commit, error }) => `  ${commit.slice(0, 12)} [${error.code}] ${error.message}`,
    ),
  ]
  if (begins !== undefined && begins > 1) {
    lines.push(`  what was before generation ${begins} is not in the history any more${why(state)}`)
  }
  if (trust === 'nobody') {
    lines.push(
      '  state.signer is not set and there is no identity: that everything fits says nothing about who wrote it',
    )
  }
  lines.push(problems.length === 0 ? 'Everything is as it was written.' : '')
  return `${lines.filter((line) => line !== '').join('\n')}\n`
}

/** Why a history begins where it does, as its first generation says it itself. */
function why({ generations: [first] }: VerifiedState): string {
  const entry = first?.journal.at(-1)
  const { head, commits, generation } = entry?.detail ?? {}
  if (entry?.fact === 'history-compacted') {
    return `: ${entry.run} compacted ${commits ?? 'its'} commits, the last of them ${head ?? 'unknown'}`
  }
  if (entry?.fact === 'state-imported') {
    return `: ${entry.run} restored it from a bundle of generation ${generation ?? 'unknown'}`
  }
  return ', and nothing says why'
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
    problems: state.problems.map(({ commit, error }) => ({
      commit,
      code: error.code,
      message: error.message,
      target: error.target ?? null,
    })),
  }
}
