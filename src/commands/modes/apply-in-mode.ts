import { refuseErrors } from '../../lib/findings-error.ts'
import type { Plan } from '../../plan/plan.ts'
import type { ApprovedPlan } from '../../plan/verdict.ts'
import type { ApplyStage } from '../../planner/apply-stages.ts'
import type { KnownCluster } from '../../planner/known-cluster.ts'
import { requireTypedName } from '../../planner/network-change.ts'
import { anchorAfter } from '../../run/anchor-after.ts'
import { type ApprovalSource, findApproval, refuseUnapproved } from '../../run/approval.ts'
import type { ClusterFile } from '../../run/cluster-file.ts'
import { lockCluster } from '../../run/lock-cluster.ts'
import type { PlanOptions } from '../../run/mode/cluster-life.ts'
import type { ClusterLifecycle } from '../../run/mode/cluster-mode.ts'
import type { NodeAccess } from '../../run/mode/node-layer.ts'
import { givenSecrets } from '../../run/named-secrets.ts'
import { appliedSpec, finishPlans } from '../../run/plan-records.ts'
import { refuseMoved } from '../../run/refuse-moved.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import { secretFindings } from '../../run/secret-findings.ts'
import { type Found, settleGiven } from '../../run/settle-given.ts'
import type { StateSession } from '../../run/state-session.ts'
import type { NamedSecrets } from '../../spec/secret-reference.ts'
import { locateFindings } from '../../spec/yaml/locate-findings.ts'
import { type ClaimedCluster, claimInMode } from './claim-in-mode.ts'

export interface ApplyInput {
  readonly file: ClusterFile
  /** What was approved; anything else stops. */
  readonly approved?: ApprovedPlan | undefined
  /** Who tells what was approved, where no plan is given: without an answer `policy.unapproved` decides. */
  readonly approvals?: ApprovalSource | undefined
  /** Only a part of it; all where it is absent. */
  readonly stage?: ApplyStage | undefined
  /** Names of nodes whose servers are to be replaced although nothing differs. */
  readonly replace?: readonly string[] | undefined
  /** Shown the plan before anything is done; false ends the run without a change. */
  readonly confirm?: ((plan: Plan) => Promise<boolean>) | undefined
  /** Asked for the name of the cluster, typed out, before what ends the traffic of its pods. */
  readonly typedName?: ((message: string) => Promise<string | undefined>) | undefined
  /** Leaves the way in for this run's address open, for the job's next steps: somebody closes it later. */
  readonly keepRule?: boolean
}

export interface ApplyResult<V extends KnownCluster> {
  readonly plan: Plan
  /** False when the plan was not confirmed. */
  readonly applied: boolean
  readonly view: V
}

/**
 * Brings a cluster to what its file asks for. What it does is its plan, made under the lock and judged
 * against what was approved, and nothing else; a second run right after has nothing to do. Safe to kill
 * at any instruction and to run again.
 */
export async function applyInMode<S extends StateSession, V extends KnownCluster>(
  mode: ClusterLifecycle<S, V>,
  context: RunContext,
  input: ApplyInput,
): Promise<ApplyResult<V>> {
  const { machines, nodes, life } = mode
  await using session = await mode.open(context, input.file)
  await lockCluster(context, session)
  const environment = givenSecrets(context, session.spec)
  const observed = await observe(mode, context, session, environment)
  refuseErrors('plan-refused', secretFindings(observed, input.file), input.file.path)
  const drafted = life.planApply(observed, planOptions(context, input))
  const draft = await nodes.checkPlan(context, session, drafted)
  refuseErrors('plan-refused', locateFindings(input.file.text, draft.findings), input.file.path)
  await machines.requireRights(context, session, observed, { plan: draft, stage: input.stage })
  await using access = nodes.access(context, session, input)
  const looked = await inspectNodesInMode(
    mode,
    context,
    session,
    { observed, draft, access, environment },
    input,
  )
  const first = looked.view
  const plan = life.planApply(first, planOptions(context, input))
  refuseErrors('plan-refused', locateFindings(input.file.text, plan.findings), input.file.path)
  refuseMoved(plan, input.approved)
  if (input.approvals && looked.approval) {
    await refuseUnapproved(input.approvals, plan, looked.approval, session.spec)
  }
  if (input.confirm && !(await input.confirm(plan))) return { plan, applied: false, view: first }
  await requireTypedName(first, plan.changes, input.typedName)

  const resumable = input.approvals?.typed !== undefined
  const claimed = await claimInMode(mode, context, session, first, { plan, resumable })
  const last = await anchorAfter(
    () => machines.anchor(session, claimed.view),
    () =>
      converge(
        mode,
        context,
        session,
        { ...claimed, access, environment: looked.environment },
        input,
      ),
  )
  return { plan, applied: true, view: last }
}

/** Carries the plan out and sees that it is done; returns what there is then. */
async function converge<S extends StateSession, V extends KnownCluster>(
  mode: ClusterLifecycle<S, V>,
  context: RunContext,
  session: S,
  {
    view,
    recorder,
    plan,
    access,
    environment,
  }: ClaimedCluster<V> & {
    readonly access: NodeAccess<V>
    readonly environment: NamedSecrets
  },
  input: ApplyInput,
): Promise<V> {
  await mode.machines.removeRemains(context, session, view)
  await access.open(view)
  if (plan.changes.length > 0) {
    // The same plan again, with the uid that labels carry from now on.
    const again = mode.life.planApply(view, planOptions(context, input))
    if (again.digest !== plan.digest) {
      throw new Error('what would be done is not what was planned: the plan changed with the claim')
    }
    await mode.life.carryOut(again.changes, { context, session, view, recorder })
  }
  const last = await observe(mode, context, session, environment)
  if (input.stage === undefined) await mode.life.verify(context, session, last)
  // The last of the stages leaves nothing to do either.
  const left = mode.life.planApply(last, { now: context.calendar.now() }).changes
  if (left.length > 0) return last
  const applied = appliedSpec(session.spec, context.run)
  const generation = await session.store.update(
    (newest) => ({
      applied,
      plans: finishPlans(newest, context.run),
      ...(newest && { inventory: mode.life.recordAll(newest.inventory, last) }),
    }),
    'Note what was applied',
  )
  return { ...last, generation }
}

function planOptions({ calendar }: RunContext, { stage, replace }: ApplyInput): PlanOptions {
  return { now: calendar.now(), stage, replace }
}

/** What is there, with what the nodes run as far as this apply is about it, and what of that is left as it is. */
async function inspectNodesInMode<S extends StateSession, V extends KnownCluster>(
  mode: ClusterLifecycle<S, V>,
  context: RunContext,
  session: S,
  {
    observed,
    draft,
    access,
    environment,
  }: { observed: V; draft: Plan; access: NodeAccess<V>; environment: NamedSecrets },
  input: ApplyInput,
): Promise<Found<V>> {
  const { nodes, life } = mode
  const planOf = (view: V) => life.planApply(view, planOptions(context, input))
  const view = await access.inspect(observed, input)
  const plan = planOf(view)
  const { file, approvals: source } = input
  const { spec } = session
  const approval =
    source && !input.approved && plan.changes.length > 0
      ? await findApproval(context, source, { file, plan, spec, generation: view.generation })
      : undefined
  const settled = await settleGiven(
    context,
    { observed, view, plan, approval, environment },
    {
      source,
      planOf,
      observe: (given) => observe(mode, context, session, given),
      keepInspected: (found, inspected) => nodes.keepInspected(found, inspected),
    },
  )
  const judged = {
    plan: settled.plan,
    draft: settled.observed === observed ? draft : planOf(settled.observed),
    approved: input.approved ?? settled.approval?.plan,
  }
  return { ...settled, view: nodes.leaveUnapproved(context, settled.view, judged) }
}

function observe<S extends StateSession, V extends KnownCluster>(
  { machines }: ClusterLifecycle<S, V>,
  { progress }: RunContext,
  session: S,
  environment: NamedSecrets,
): Promise<V> {
  return runPhase(progress, 'Look at what is there', () => machines.observe(session, environment))
}
