import { ClusterError } from '../../lib/cluster-error.ts'
import type { KnownCluster } from '../../planner/known-cluster.ts'
import type { ClusterFile } from '../../run/cluster-file.ts'
import { clusterUnknown } from '../../run/cluster-unknown.ts'
import { lockCluster } from '../../run/lock-cluster.ts'
import type { ClusterMode } from '../../run/mode/cluster-mode.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import type { StateSession } from '../../run/state-session.ts'

export interface CompactInput {
  readonly file: ClusterFile
  /** Whether the history of other clusters on the same branch may go too; they stay as they are. */
  readonly withOthers?: boolean
}

export interface CompactedState {
  /** False when the history was a single commit already. */
  readonly compacted: boolean
  readonly clusterName: string
  readonly branch: string
  readonly formerHead: string
  readonly formerCommits: number
  readonly generation: number
  readonly head: string
  /** Clusters on the branch whose history went too. */
  readonly others: readonly string[]
}

/**
 * Squashes the state branch to a single commit, after all of it was verified: the next generation of this cluster,
 * which records the former head. The provider remembers that generation, so an old clone that is pushed back is refused
 * like any other rollback. Throws `compact-refused` for a history that is not whole or is others' too,
 * `state-push-refused` where rules forbid it, `cluster-unknown`.
 */
export async function compactInMode<S extends StateSession, V extends KnownCluster>(
  { open, machines }: ClusterMode<S, V>,
  context: RunContext,
  { file, withOthers = false }: CompactInput,
): Promise<CompactedState> {
  const { progress } = context
  await using session = await open(context, file)
  const { spec, store } = session
  const { clusterName, state } = spec
  await machines.requireWrite(session)
  await lockCluster(context, session)
  const audit = await runPhase(progress, 'Verify the state branch', () => store.audit())
  const view = await runPhase(progress, 'Look at what is there', () => machines.observe(session))
  const former = view.generation
  if (!former) throw clusterUnknown(spec, 'compact the state of')
  const [problem] = audit.problems
  if (problem) {
    throw refused(state.branch, 'its history is not whole, and would hide that once it is gone', {
      hint: 'Run `hcloud-talos verify` to see what is wrong with it.',
      cause: problem.error,
    })
  }
  const others = audit.clusters.filter((name) => name !== clusterName)
  if (others.length > 0 && !withOthers) {
    throw refused(state.branch, `it holds the history of ${others.join(', ')} too`, {
      hint: 'Verify those clusters as well; then give --with-others.',
    })
  }
  const { commits: formerCommits, head: formerHead = '' } = audit
  const compacted = formerCommits > 1
  const { commit, manifest } = !compacted
    ? former
    : await runPhase(progress, 'Squash the history', () =>
        store.compact((head) => {
          if (head !== formerHead) throw moved(state.branch)
          return { fact: 'history-compacted', detail: { head, commits: String(formerCommits) } }
        }),
      )
  // Also where a run that died did not come to it.
  await machines.anchor(session, view)
  return {
    compacted,
    clusterName,
    branch: state.branch,
    formerHead,
    formerCommits,
    generation: manifest.generation,
    head: commit,
    others,
  }
}

/** Another cluster wrote: what came since was not verified. */
function moved(branch: string): ClusterError {
  return refused(branch, 'another cluster wrote to it while it was verified', {
    hint: 'Run again.',
  })
}

function refused(
  branch: string,
  why: string,
  context: { readonly hint: string; readonly cause?: unknown },
): ClusterError {
  return new ClusterError('compact-refused', `the branch ${branch} was not compacted: ${why}`, {
    operation: 'compact the state branch',
    target: branch,
    ...context,
  })
}
