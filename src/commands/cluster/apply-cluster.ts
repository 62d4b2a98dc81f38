import { carryOut } from '../../engine/carry-out.ts'
import { verifyCluster } from '../../engine/verify-cluster.ts'
import { sweepBuilders } from '../../hetzner/sweep-builders.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import { refuseErrors } from '../../lib/findings-error.ts'
import { randomHex } from '../../lib/random.ts'
import type { ClusterNode } from '../../plan/cluster-node.ts'
import type { Inventory, InventoryNode } from '../../plan/inventory.ts'
import { claimResources } from '../../plan/inventory-resources.ts'
import type { Plan } from '../../plan/plan.ts'
import { type ApprovedPlan, judgePlan } from '../../plan/verdict.ts'
import type { ApplyStage } from '../../planner/apply-stages.ts'
import type { ClusterView } from '../../planner/cluster-view.ts'
import { requireTypedName } from '../../planner/network-change.ts'
import { type ApplyPlanOptions, planApply } from '../../planner/plan-apply.ts'
import { recordCluster, recordLentNetwork } from '../../planner/record-cluster.ts'
import { anchored } from '../../run/anchor-state.ts'
import { type ApprovalSource, findApproval, refuseUnapproved } from '../../run/approval.ts'
import { askNodesThrough, leaveUnapproved } from '../../run/ask-nodes.ts'
import {
  type ClusterFile,
  type ClusterSession,
  lockCluster,
  openSession,
} from '../../run/cluster-session.ts'
import { withFactoryFindings } from '../../run/factory-findings.ts'
import { LazyRule } from '../../run/lazy-rule.ts'
import { givenSecrets, keepSecrets, readKept, setterOf } from '../../run/named-secrets.ts'
import { observeCluster } from '../../run/observe-cluster.ts'
import { appliedSpec, finishPlans, recordPlan } from '../../run/plan-records.ts'
import { requireRights } from '../../run/require-rights.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import { secretFindings } from '../../run/secret-findings.ts'
import { type Found, settleGiven } from '../../run/settle-given.ts'
import { StateRecorder } from '../../run/state-recorder.ts'
import type { NamedSecrets } from '../../spec/secret-reference.ts'
import { locateFindings } from '../../spec/yaml/locate-findings.ts'
import { contractName } from '../../talos/config/version-contract.ts'

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
  readonly typedName?: ((says: string) => Promise<string | undefined>) | undefined
  /** Leaves the way in for this run's address open, for the job's next steps: somebody closes it later. */
  readonly keepRule?: boolean
}

export interface ApplyResult {
  readonly plan: Plan
  /** False when the plan was not confirmed. */
  readonly applied: boolean
  readonly view: ClusterView
}

/**
 * Brings a cluster to what its file asks for. What it does is its plan, made under the lock and judged
 * against what was approved, and nothing else; a second run right after has nothing to do. Safe to kill
 * at any instruction and to run again.
 */
export async function applyCluster(context: RunContext, input: ApplyInput): Promise<ApplyResult> {
  await using session = await openSession(context, input.file)
  await lockCluster(context, session)
  const environment = givenSecrets(context, session.spec)
  const observed = await observe(context, session, environment)
  refuseErrors('plan-refused', secretFindings(observed, input.file), input.file.path)
  const drafted = planApply(observed, planOptions(context, input))
  const draft = await withFactoryFindings(context, session, drafted)
  refuseErrors('plan-refused', locateFindings(input.file.text, draft.findings), input.file.path)
  await requireRights(context, session, observed, { plan: draft, stage: input.stage })
  await using rule = new LazyRule(context, session, input)
  const looked = await lookIntoNodes(
    context,
    session,
    { observed, draft, rule, environment },
    input,
  )
  const first = looked.view
  const plan = planApply(first, planOptions(context, input))
  refuseErrors('plan-refused', locateFindings(input.file.text, plan.findings), input.file.path)
  refuseMoved(plan, input.approved)
  if (input.approvals && looked.approval) {
    await refuseUnapproved(input.approvals, plan, looked.approval, session.spec)
  }
  if (input.confirm && !(await input.confirm(plan))) return { plan, applied: false, view: first }
  await requireTypedName(first, plan.changes, input.typedName)

  const resumable = input.approvals?.typed !== undefined
  const claimed = await claimCluster(context, session, first, { plan, resumable })
  const last = await anchored(session, claimed.view, () =>
    converge(context, session, { ...claimed, rule, environment: looked.environment }, input),
  )
  return { plan, applied: true, view: last }
}

/** Carries the plan out and sees that it is done; returns what there is then. */
async function converge(
  context: RunContext,
  session: ClusterSession,
  {
    view,
    recorder,
    plan,
    rule,
    environment,
  }: ClaimedCluster & { readonly rule: LazyRule; readonly environment: NamedSecrets },
  input: ApplyInput,
): Promise<ClusterView> {
  await removeRemains(context, session, view)
  await rule.open(view)
  if (plan.changes.length > 0) {
    // The same plan again, with the uid that labels carry from now on.
    const again = planApply(view, planOptions(context, input))
    if (again.digest !== plan.digest) {
      throw new Error('what would be done is not what was planned: the plan changed with the claim')
    }
    await carryOut(again.changes, { context, session, view, recorder })
  }
  const last = await observe(context, session, environment)
  if (input.stage === undefined) await verifyCluster(context, session, last)
  // The last of the stages leaves nothing to do either.
  const left = planApply(last, { now: context.calendar.now() }).changes
  if (left.length > 0) return last
  const applied = appliedSpec(session.spec, context.run)
  const generation = await session.store.update(
    (newest) => ({
      applied,
      plans: finishPlans(newest, context.run),
      ...(newest && { inventory: recordCluster(newest.inventory, last) }),
    }),
    'Note what was applied',
  )
  return { ...last, generation }
}

function planOptions({ calendar }: RunContext, { stage, replace }: ApplyInput): ApplyPlanOptions {
  return { now: calendar.now(), stage, replace }
}

/** What is there, with what the nodes run as far as this apply is about it, and what of that is left as it is. */
async function lookIntoNodes(
  context: RunContext,
  session: ClusterSession,
  {
    observed,
    draft,
    rule,
    environment,
  }: { observed: ClusterView; draft: Plan; rule: LazyRule; environment: NamedSecrets },
  input: ApplyInput,
): Promise<Found> {
  const planOf = (view: ClusterView) => planApply(view, planOptions(context, input))
  const view = await askNodesThrough(rule, context, session, observed, input)
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
    { source, planOf, observe: (given) => observe(context, session, given) },
  )
  const judged = {
    plan: settled.plan,
    draft: settled.observed === observed ? draft : planOf(settled.observed),
    approved: input.approved ?? settled.approval?.plan,
  }
  return { ...settled, view: leaveUnapproved(context, settled.view, judged) }
}

function observe(
  context: RunContext,
  session: ClusterSession,
  environment: NamedSecrets,
): Promise<ClusterView> {
  return runPhase(context.progress, 'Look at what is there', () =>
    observeCluster(session.spec, session.store, session.hetzner, environment),
  )
}

/** Deletes the servers and keys with which a run that died was building images. The lock proves that it died. */
async function removeRemains(
  { progress }: RunContext,
  { hetzner, spec: { clusterName } }: ClusterSession,
  { generation, hetzner: { strays } }: ClusterView,
): Promise<void> {
  const uid = generation?.inventory.uid
  if (uid === undefined || strays.every(({ kind }) => kind === 'firewall')) return
  await runPhase(
    progress,
    'Remove what a run that died left behind',
    () => sweepBuilders(hetzner, { clusterName, uid }),
    (removed) => removed.join(', '),
  )
}

/** Stops when the cluster changed since the approval in a way that nobody approved. */
export function refuseMoved(plan: Plan, approved: ApprovedPlan | undefined): void {
  if (!approved) return
  const verdict = judgePlan(plan, approved)
  if (verdict.verdict !== 'moved') return
  throw new ClusterError(
    'plan-moved',
    `the cluster changed since the plan was approved; not approved: ${verdict.unapproved.join(', ')}`,
    { hint: 'Look at a new plan and approve that one.' },
  )
}

interface ClaimedCluster {
  readonly view: ClusterView
  readonly recorder: StateRecorder
  /** What is carried out. */
  readonly plan: Plan
}

/**
 * Writes down what must be known before anything is made: the uid that will mark all of it, the slots and
 * addresses of new nodes, and the plan that is carried out, with who had it carried out.
 */
async function claimCluster(
  context: RunContext,
  session: ClusterSession,
  view: ClusterView,
  { plan, resumable }: { readonly plan: Plan; readonly resumable: boolean },
): Promise<ClaimedCluster> {
  const { store, spec } = session
  const former = view.generation?.inventory
  const base: Inventory = former ?? {
    clusterName: spec.clusterName,
    uid: randomHex(context.random, 8),
    nodes: [],
    addons: {},
    contract: contractName(view.spec),
    bootstrapped: false,
  }
  const given = view.secrets?.given ?? new Map<string, string>()
  if (former && plan.changes.length === 0 && given.size === 0) {
    return { view, recorder: new StateRecorder(store, former), plan }
  }
  const allocated = { ...base, nodes: withAllocated(base.nodes, view.nodes) }
  const claimed = claimResources(allocated, plan.changes, view.hetzner.records)
  const lent = recordLentNetwork(claimed, view)
  const setter = setterOf(context, 'environment')
  const now = context.calendar.now()
  const generation = await store.update(
    async (newest) => ({
      ...(await keepSecrets(lent, given, () => readKept(store), setter)),
      plans: recordPlan(plan, spec, context.run, now, newest, { resumable }),
    }),
    former ? 'Allocate nodes' : `Begin the cluster ${spec.clusterName}`,
  )
  const recorder = new StateRecorder(store, generation.inventory)
  return { view: { ...view, generation }, recorder, plan }
}

function withAllocated(
  known: readonly InventoryNode[],
  nodes: readonly ClusterNode[],
): InventoryNode[] {
  const names = new Set(known.map((node) => node.name))
  const added = nodes.filter((node) => !names.has(node.name))
  return [
    ...known,
    ...added.map(({ name, role, pool, slot, privateIp, location }) => ({
      name,
      role,
      pool,
      slot,
      privateIp,
      location,
    })),
  ]
}
