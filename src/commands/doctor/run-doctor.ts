import type { HetznerClient } from '../../hetzner/api/hetzner-client.ts'
import { requireWrite } from '../../hetzner/require-write.ts'
import { ClusterError, isClusterError } from '../../lib/cluster-error.ts'
import { formatPath } from '../../lib/finding.ts'
import type { ClusterFile } from '../../run/cluster-file.ts'
import { openSession } from '../../run/hetzner-talos/cluster-session.ts'
import { observeCluster } from '../../run/hetzner-talos/observe-cluster.ts'
import type { BranchNames, RepositoryFacts } from '../../run/repository-facts.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import { diagnoseCluster, type Look } from './diagnose-cluster.ts'
import { diagnosePrepared, type PreparedIdentity } from './diagnose-prepared.ts'
import { diagnoseRepository } from './diagnose-repository.ts'
import { diagnoseLock, diagnoseState } from './diagnose-state.ts'
import { type Diagnosis, diagnose, passed, problem } from './diagnosis.ts'

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

/** Certificates are dated by this machine's clock; an apply refuses one that is off by more than a few minutes. */
const toleratedSkewMs = 60_000

/**
 * Looks at all that must be right around a cluster: its file, state, keys, lock, tokens, repository and clock.
 * Changes nothing, and finds as much as it can. Throws what is wrong with the file itself (`spec-…`).
 */
export async function runDoctor(given: RunContext, input: DoctorInput): Promise<Diagnosis[]> {
  const over = new AbortController()
  const signal = AbortSignal.any([given.signal, over.signal])
  const looks: Promise<unknown>[] = []
  try {
    return await examine({ ...given, signal }, input, looks)
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
async function examine(
  context: RunContext,
  input: DoctorInput,
  looks: Promise<unknown>[],
): Promise<Diagnosis[]> {
  await using session = await openSession(context, input.file)
  const { spec, findings, store, hetzner } = session
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
    observeCluster(spec, store, hetzner),
  )
  const parts = await Promise.all([
    findings.map(({ path, message, hint = '' }) =>
      problem('cluster file', 'weak', `${formatPath(path)}: ${message}`, hint),
    ),
    look('hetzner', 'Ask Hetzner', () => diagnoseToken(context, hetzner)),
    look('state', 'Read the state branch', async () =>
      diagnoseState(context, session, await observed),
    ),
    prepared
      ? look('identity', 'Look at the identity that comes next', () =>
          diagnosePrepared(context, input.file, prepared),
        )
      : [],
    look('lock', 'Look at the lock', async () => {
      await observed.catch(failedAsExpected)
      return await diagnoseLock(context, store)
    }),
    observed
      .catch(failedAsExpected)
      .then((view) => diagnoseCluster({ context, session, observed: view, look })),
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

async function diagnoseToken(context: RunContext, hetzner: HetznerClient): Promise<Diagnosis[]> {
  await hetzner.locations()
  const clock = diagnoseClock('Hetzner', hetzner.serverTime, context.calendar.now())
  try {
    await requireWrite(hetzner)
  } catch (error) {
    if (!isClusterError(error, 'token-read-only')) throw error
    return [
      problem(
        'hetzner',
        'weak',
        'the token may only read: good for plans, and for nothing else',
        'Set HCLOUD_TOKEN to a read-write token of the project for an apply.',
      ),
      ...clock,
    ]
  }
  return [
    passed('hetzner', 'the token may read and write: keep it out of jobs that only plan'),
    ...clock,
  ]
}

function diagnoseClock(whose: string, theirs: number | undefined, ours: number): Diagnosis[] {
  if (theirs === undefined) return []
  const skew = ours - theirs
  if (Math.abs(skew) <= toleratedSkewMs) return [passed('clock', `it agrees with that of ${whose}`)]
  const seconds = Math.round(Math.abs(skew) / 1000)
  return [
    problem(
      'clock',
      'bad',
      `it is ${seconds} s ${skew > 0 ? 'ahead of' : 'behind'} that of ${whose}: certificates would be wrong`,
      'Set it by NTP: run `timedatectl set-ntp true`.',
    ),
  ]
}
