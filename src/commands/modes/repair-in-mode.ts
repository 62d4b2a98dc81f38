import { ClusterError } from '../../lib/cluster-error.ts'
import { describeRepair, type RepairPlan } from '../../planner/describe-repair.ts'
import type { KnownCluster } from '../../planner/known-cluster.ts'
import type { ClusterFile } from '../../run/cluster-file.ts'
import { clusterUnknown, lostState } from '../../run/cluster-unknown.ts'
import { lockCluster } from '../../run/lock-cluster.ts'
import type { ClusterMode } from '../../run/mode/cluster-mode.ts'
import { furthest } from '../../run/present-state.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import type { StateSession } from '../../run/state-session.ts'
import type { CommonSpec } from '../../spec/common-spec.ts'
import type { Generation } from '../../store/generation.ts'
import type { StateAudit } from '../../store/trust/audit-state.ts'
import { identityMissing } from '../../store/trust/identity.ts'
import { refuseFormerKey, type StateAnchor } from '../../store/trust/refuse-older.ts'

export interface RepairInput {
  readonly file: ClusterFile
  /** Goes on from a generation that is older than what is known to have been: what came between is lost. */
  readonly acceptsOlder?: boolean
  /** Shown what would be signed; the reason that is written down, or undefined for no. */
  readonly confirm: (plan: RepairPlan) => Promise<string | undefined>
}

export interface RepairedState {
  /** Undefined where there was nothing to repair. */
  readonly plan: RepairPlan | undefined
  readonly repaired: boolean
  /** The newest generation afterwards. */
  readonly generation: number
}

/**
 * Brings a damaged state branch back to one that verifies: upon what is there comes a generation with the files of the
 * newest one that is as its signer wrote it, and in its manifest which commits are accepted into the history, and why.
 * Nothing unsigned is taken over, no commit is taken away, nothing is accepted but what was shown: commit by commit, by
 * what is wrong with each. It takes the identity that signs, and the provider, which remembers how far the state had come; a
 * state that is older than that is gone on with on demand only, and one of a former key never. Throws `repair-refused`,
 * `state-rolled-back`, `state-other-cluster`, `identity-missing`, `cluster-unknown`, and what signing does.
 */
export async function repairInMode<S extends StateSession, V extends KnownCluster>(
  mode: ClusterMode<S, V>,
  context: RunContext,
  input: RepairInput,
): Promise<RepairedState> {
  const { machines } = mode
  const { progress } = context
  await using session = await mode.open(context, input.file)
  const { spec, store } = session
  if (context.state.identity === undefined) throw identityMissing(spec.clusterName)
  await machines.requireWrite(session)
  await lockCluster(context, session)
  const audit = await runPhase(progress, 'Verify the state branch', () => store.audit())
  const base = await requireBase(spec, audit, () =>
    machines.refuseLost(context, { file: input.file, spec }),
  )
  const live = await runPhase(progress, 'Look at what is there', () =>
    machines.findStateOf(session, base),
  )
  live.refuseOther()
  if (audit.ended && !live.isThere) throw destroyed(spec, machines.name)
  const remembered = furthest([base.manifest, live.anchor, audit.signedUpTo])
  refuseFormerKey(base, remembered)
  const isOlder = base.manifest.generation < remembered.generation
  const isComplete = audit.problems.length === 0 && audit.isAtNewest
  if (isComplete && !isOlder) {
    // A run that died right after its push told nobody yet.
    if (live.anchor || base.manifest.repair) await live.remember(base.manifest)
    return { plan: undefined, repaired: false, generation: base.manifest.generation }
  }
  // Where the provider remembers nothing, that nothing newer was written is not known either.
  const isAnchored = live.anchor !== undefined || !base.inventory.bootstrapped
  if ((isOlder || !isAnchored) && !input.acceptsOlder) {
    throw older(spec, base, { remembered, isOlder, provider: machines.name })
  }
  const notes = await store.commitsOf([...new Set(audit.problems.map(({ commit }) => commit))])
  const plan = describeRepair(audit, {
    clusterName: spec.clusterName,
    branch: spec.state.branch,
    head: audit.head ?? '',
    base,
    remembered,
    isAnchored,
    notes,
  })
  const reason = (await input.confirm(plan))?.trim().slice(0, longestReason)
  if (!reason) return { plan, repaired: false, generation: base.manifest.generation }
  const written = await runPhase(progress, 'Repair the history', () =>
    writeRepair(session, audit, { base, plan, reason }),
  )
  await live.remember(written.manifest)
  await proveRepaired(session)
  return { plan, repaired: true, generation: written.manifest.generation }
}

/** What a manifest takes. */
const longestReason = 1_000

async function requireBase(
  spec: CommonSpec,
  { newest, ended, isPartlyUnreadable, generations, problems }: StateAudit,
  refuseLost: () => Promise<void>,
): Promise<Generation> {
  const { clusterName, state } = spec
  if (generations.length + problems.length === 0) {
    await refuseLost()
    throw clusterUnknown(spec, 'repair the state of')
  }
  if (isPartlyUnreadable) {
    throw refused(
      spec,
      'a manifest on the branch is signed as it should be and cannot be read: a newer version of this program wrote it',
      'Run `hcloud-talos repair` of the newest version.',
    )
  }
  // Taken off the branch, by a destroy or by somebody: the provider shows which.
  const base = newest ?? ended
  if (base) return base
  throw refused(
    spec,
    `no generation on the branch ${state.branch} is as a key of state.signer wrote it, so there is nothing to continue from`,
    `If state.signer names the wrong keys, correct the cluster file (\`hcloud-talos signer\`). ${lostState(clusterName, state.branch)}`,
  )
}

function destroyed(spec: CommonSpec, provider: string): ClusterError {
  return refused(
    spec,
    `its folder is not on the branch, and there is nothing of it at ${provider}: it was destroyed`,
    'Apply the cluster file to create it again.',
  )
}

interface KnownGap {
  readonly remembered: StateAnchor
  readonly isOlder: boolean
  /** What people call it. */
  readonly provider: string
}

function older(
  { clusterName, state }: CommonSpec,
  { manifest }: Generation,
  { remembered, isOlder, provider }: KnownGap,
): ClusterError {
  const message = isOlder
    ? `the newest generation on the branch is ${manifest.generation} (${manifest.writtenAt}), and generation ${remembered.generation} is known to have been written`
    : `the newest generation on the branch is ${manifest.generation} (${manifest.writtenAt}), and ${provider}, which remembers how far the state has come, does not: whether newer ones were written is not known`
  return new ClusterError('state-rolled-back', message, {
    operation: 'repair the state of',
    target: clusterName,
    hint: `Bring the newer generations back: push the newest commit that a clone has (\`git push --force origin <commit>:refs/heads/${state.branch}\`), or run \`hcloud-talos import --from ${clusterName}-recovery.tar.age\`. Only if they are lost for good, run \`hcloud-talos repair --accept-older\`, and look at a plan before you apply: nodes that were created since are unknown to the older state.`,
  })
}

interface RepairParts {
  readonly base: Generation
  readonly plan: RepairPlan
  readonly reason: string
}

async function writeRepair(
  { spec, store }: StateSession,
  audit: StateAudit,
  { base, plan, reason }: RepairParts,
): Promise<Generation> {
  const { lost, accepted, digest } = plan
  const detail = {
    reason,
    base: String(base.manifest.generation),
    head: plan.head,
    commits: String(accepted.length),
    ...(lost !== undefined && { lost: String(lost) }),
  }
  const written = await store.repair(audit, {
    base,
    above: lost ?? 0,
    fact: { fact: 'history-repaired', detail },
    repair: {
      reason,
      confirmed: digest,
      base: base.manifest.generation,
      lost: lost ?? null,
      accepted: accepted.map(({ commit, code }) => ({ commit, code })),
    },
  })
  if (written) return written
  throw refused(
    spec,
    'the branch moved while this was looked at, and what came since was not shown',
    'Run `hcloud-talos repair` again, and look at what it shows.',
  )
}

/** A repair is one when the branch verifies afterwards. */
async function proveRepaired({ spec, store }: StateSession): Promise<void> {
  const [problem] = (await store.audit()).problems
  if (!problem) return
  throw refused(
    spec,
    `what was written does not repair it: ${problem.error.message}`,
    'Run `hcloud-talos verify`, and report what it prints.',
  )
}

function refused({ clusterName }: CommonSpec, why: string, hint: string): ClusterError {
  return new ClusterError('repair-refused', `the state was not repaired: ${why}`, {
    operation: 'repair the state of',
    target: clusterName,
    hint,
  })
}
