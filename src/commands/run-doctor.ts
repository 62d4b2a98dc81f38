import type { HetznerClient } from '../hetzner/api/hetzner-client.ts'
import { requireWrite } from '../hetzner/require-write.ts'
import { isClusterError } from '../lib/cluster-error.ts'
import { formatPath } from '../lib/finding.ts'
import { runPhase } from '../phases/run-phase.ts'
import { type ClusterFile, openSession } from './cluster-session.ts'
import { diagnoseRepository } from './diagnose-repository.ts'
import { diagnoseLock, diagnoseState } from './diagnose-state.ts'
import { type Diagnosis, diagnose, good, ill } from './diagnosis.ts'
import type { BranchNames, RepositoryFacts } from './repository-facts.ts'
import type { RunContext } from './run-context.ts'

export interface DoctorInput {
  readonly file: ClusterFile
  /** Asks GitHub; undefined where there is no token, or the repository is elsewhere. */
  readonly askGithub?: ((branches: BranchNames) => Promise<RepositoryFacts>) | undefined
}

/** Certificates are dated by this machine's clock; an apply refuses one that is off by more than a few minutes. */
const toleratedSkewMs = 60_000

/**
 * Looks at all that must be right around a cluster: its file, state, keys, lock, tokens, repository and clock.
 * Changes nothing, and finds as much as it can. Throws what is wrong with the file itself (`spec-…`).
 */
export async function runDoctor(context: RunContext, input: DoctorInput): Promise<Diagnosis[]> {
  await using session = await openSession(context, input.file)
  const { spec, findings, store, hetzner } = session
  const { clusterName, state } = spec
  const branches = { state: state.branch, lock: `${state.branch}-lock/${clusterName}` }
  const look = (area: Diagnosis['area'], title: string, work: () => Promise<Diagnosis[]>) =>
    diagnose(area, () => runPhase(context.progress, title, work))
  const { askGithub } = input
  const parts = [
    findings.map(({ path, message, hint = '' }) =>
      ill('cluster file', 'weak', `${formatPath(path)}: ${message}`, hint),
    ),
    await look('hetzner', 'Ask Hetzner', () => diagnoseToken(context, hetzner)),
    await look('state', 'Read the state branch', () => diagnoseState(context, session)),
    await look('lock', 'Look at the lock', () => diagnoseLock(context, store)),
    await look('github', 'Ask GitHub', async () => {
      if (!askGithub) return [notAsked]
      const facts = await askGithub(branches)
      return [
        ...diagnoseRepository(facts, { clusterName, branches }),
        ...diagnoseClock('GitHub', facts.now, context.calendar.now()),
      ]
    }),
  ]
  return parts.flat()
}

const notAsked = ill(
  'github',
  'unknown',
  'GitHub was not asked about rights, rulesets and environments',
  'set GITHUB_TOKEN (Metadata, Actions, Environments and Secrets: read), if the repository is on GitHub',
)

async function diagnoseToken(context: RunContext, hetzner: HetznerClient): Promise<Diagnosis[]> {
  await hetzner.locations()
  const clock = diagnoseClock('Hetzner', hetzner.serverTime, context.calendar.now())
  try {
    await requireWrite(hetzner)
  } catch (error) {
    if (!isClusterError(error, 'token-read-only')) throw error
    return [
      ill(
        'hetzner',
        'weak',
        'the token may only read: good for plans, and for nothing else',
        'for an apply set HCLOUD_TOKEN to a read-write token of the project',
      ),
      ...clock,
    ]
  }
  return [
    good('hetzner', 'the token may read and write: keep it out of jobs that only plan'),
    ...clock,
  ]
}

function diagnoseClock(whose: string, theirs: number | undefined, ours: number): Diagnosis[] {
  if (theirs === undefined) return []
  const skew = ours - theirs
  if (Math.abs(skew) <= toleratedSkewMs) return [good('clock', `it agrees with that of ${whose}`)]
  const seconds = Math.round(Math.abs(skew) / 1000)
  return [
    ill(
      'clock',
      'bad',
      `it is ${seconds} s ${skew > 0 ? 'ahead of' : 'behind'} that of ${whose}: certificates would be wrong`,
      'set it by NTP: `timedatectl set-ntp true`',
    ),
  ]
}
