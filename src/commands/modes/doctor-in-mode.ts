import { ClusterError, isClusterError } from '../../lib/cluster-error.ts'
import { formatPath } from '../../lib/finding.ts'
import type { KnownCluster } from '../../planner/known-cluster.ts'
import type { ClusterFile } from '../../run/cluster-file.ts'
import { type Diagnosis, diagnose, type Look, passed, problem } from '../../run/diagnosis.ts'
import type { ClusterMode } from '../../run/mode/cluster-mode.ts'
import type { BranchNames, RepositoryFacts } from '../../run/repository-facts.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import type { StateSession } from '../../run/state-session.ts'
import { diagnoseClock } from './doctor/diagnose-clock.ts'
import { diagnoseCluster } from './doctor/diagnose-cluster.ts'
import { diagnosePrepared, type PreparedIdentity } from './doctor/diagnose-prepared.ts'
import { diagnoseRepository } from './doctor/diagnose-repository.ts'
import { diagnoseLock, diagnoseState } from './doctor/diagnose-state.ts'

export interface DoctorInput {
  readonly file: ClusterFile
  /** Asks GitHub until the signal says that nobody waits any more; undefined where there is no token. */
  readonly github?:
    | ((branches: BranchNames, signal: AbortSignal) => Promise<RepositoryFacts>)
    | 'elsewhere'
    | undefined
  /** What lies where a rotation is prepared. */
  readonly prepared?: PreparedIdentity | undefined
}

/** How long what is given up may take to end, in milliseconds. */
const endWithinMs = 1_000

/**
 * Looks at all that must be right around a cluster: its file, state, keys, lock, tokens, repository and clock.
 * Changes nothing, and finds as much as it can. Throws what is wrong with the file itself (`spec-…`).
 */
export async function doctorInMode<S extends StateSession, V extends KnownCluster>(
  mode: ClusterMode<S, V>,
  given: RunContext,
  input: DoctorInput,
): Promise<Diagnosis[]> {
  const over = new AbortController()
  const signal = AbortSignal.any([given.signal, over.signal])
  const looks: Promise<unknown>[] = []
  try {
    return await examine(mode, { ...given, signal }, input, looks)
  } finally {
    // What gave no answer in time still waits for one, and would keep the process alive.
    over.abort(new ClusterError('interrupted', 'there was no answer in time'))
    const patience = new AbortController()
    const waited = given.clock.sleep(endWithinMs, patience.signal)
    await Promise.race([Promise.allSettled(looks), waited])
    patience.abort()
  }
}

/** `looks` gets everything that is started. */
async function examine<S extends StateSession, V extends KnownCluster>(
  mode: ClusterMode<S, V>,
  context: RunContext,
  input: DoctorInput,
  looks: Promise<unknown>[],
): Promise<Diagnosis[]> {
  const { machines, health } = mode
  await using session = await mode.open(context, input.file)
  const { spec, findings, store } = session
  const { clusterName, state } = spec
  const branches = { state: state.branch, lock: `${state.branch}-lock/${clusterName}` }
  const look: Look = (area, title, work) =>
    diagnose(area, () => {
      const looking = runPhase(context.progress, title, async () => [...(await work())])
      looks.push(looking)
      return looking
    })
  const { github, prepared } = input
  const observed = runPhase(context.progress, 'Look at what is there', () =>
    machines.observe(session),
  )
  const parts = await Promise.all([
    findings.map(({ path, message, hint = '' }) =>
      problem('cluster file', 'weak', `${formatPath(path)}: ${message}`, hint),
    ),
    look(health.provider, `Ask ${machines.name}`, () => health.diagnoseProvider(context, session)),
    look('state', 'Read the state branch', async () =>
      diagnoseState(mode, context, session, await observed),
    ),
    prepared
      ? look('identity', 'Look at the identity that comes next', () =>
          diagnosePrepared(context, spec, prepared),
        )
      : [],
    look('lock', 'Look at the lock', async () => {
      await observed.catch(failedAsExpected)
      return await diagnoseLock(context, store)
    }),
    observed
      .catch(failedAsExpected)
      .then((view) => diagnoseCluster(mode, { context, session, look }, view)),
    look('github', 'Ask GitHub', async () => {
      if (github === 'elsewhere') return [passed('github', 'the repository is not on GitHub')]
      if (!github) return [notAsked]
      const facts = await github(branches, context.signal)
      return [
        ...diagnoseRepository(facts, { clusterName, branches, now: context.calendar.now() }),
        ...diagnoseClock('GitHub', facts.now, context.calendar.now()),
      ]
    }),
  ])
  return parts.flat()
}

/** The look at the state reports it. */
function failedAsExpected(error: unknown): undefined {
  if (!isClusterError(error) || error.code === 'interrupted') throw error
}

const notAsked = problem(
  'github',
  'unknown',
  'GitHub was not asked about rights, rulesets and environments',
  'Set GITHUB_TOKEN (Metadata, Actions, Environments and Secrets: read).',
)
