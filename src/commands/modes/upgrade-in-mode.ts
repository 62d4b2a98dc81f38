import { refuseErrors } from '../../lib/findings-error.ts'
import type { Plan } from '../../plan/plan.ts'
import { clusterKubernetes } from '../../plan/running-kubernetes.ts'
import type { ApprovedPlan } from '../../plan/verdict.ts'
import type { KnownCluster } from '../../planner/known-cluster.ts'
import { anchorAfter } from '../../run/anchor-after.ts'
import type { ClusterFile } from '../../run/cluster-file.ts'
import { clusterUnknown } from '../../run/cluster-unknown.ts'
import { lockCluster } from '../../run/lock-cluster.ts'
import type { ClusterLifecycle } from '../../run/mode/cluster-mode.ts'
import { finishPlans, recordPlan } from '../../run/plan-records.ts'
import { type Button, refuseUnpressed } from '../../run/pressed-button.ts'
import { refuseMoved } from '../../run/refuse-moved.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import { secretFindings } from '../../run/secret-findings.ts'
import { StateRecorder } from '../../run/state-recorder.ts'
import type { StateSession } from '../../run/state-session.ts'
import { locateFindings } from '../../spec/yaml/locate-findings.ts'
import type { Generation } from '../../store/generation.ts'

export interface UpgradeInput {
  readonly file: ClusterFile
  readonly approved?: ApprovedPlan | undefined
  /** Who asked for it, in a workflow. */
  readonly button?: Button | undefined
  readonly confirm?: ((plan: Plan) => Promise<boolean>) | undefined
  readonly keepRule?: boolean
}

export interface UpgradeResult {
  readonly plan: Plan
  /** False when the plan was not confirmed. */
  readonly applied: boolean
}

/**
 * Brings the cluster to the versions of the file: its nodes, one at a time, control planes first, into its
 * system, and Kubernetes, component by component, into its version. Stops at the first
 * node that does not come well; run again, it continues with what is left. Throws `cluster-unknown` when
 * there is no such cluster.
 */
export async function upgradeInMode<S extends StateSession, V extends KnownCluster>(
  { open, machines, nodes, life }: ClusterLifecycle<S, V>,
  context: RunContext,
  input: UpgradeInput,
): Promise<UpgradeResult> {
  await using session = await open(context, input.file)
  await lockCluster(context, session)
  const view = await runPhase(context.progress, 'Look at what is there', () =>
    machines.observe(session),
  )
  if (!view.generation) throw clusterUnknown(session.spec, 'upgrade')
  refuseErrors('plan-refused', secretFindings(view, input.file), input.file.path)
  const made = life.planUpgrade(view, { now: context.calendar.now() })
  const plan = await nodes.checkPlan(context, session, made)
  refuseErrors('plan-refused', locateFindings(input.file.text, plan.findings), input.file.path)
  refuseMoved(plan, input.approved)
  const { button } = input
  const { spec } = session
  const { generation } = view
  if (button) await refuseUnpressed(context, button, { plan, spec, generation })
  if (plan.changes.length > 0) await machines.requireRights(context, session, view, { plan })
  if (input.confirm && !(await input.confirm(plan))) return { plan, applied: false }
  // Also when nothing is to be done: who asked for an open firewall has something to do behind it.
  if (plan.changes.length === 0 && !input.keepRule) {
    await nodes.closeLeftOpen(context, session, view)
    return { plan, applied: true }
  }
  await using access = nodes.access(context, session, input)
  await access.open(view)
  if (plan.changes.length === 0) return { plan, applied: true }
  const recorder = await begin(context, session, plan, {
    resumable: button?.typed !== undefined,
  })
  const work = async () => {
    await life.carryOutUpgrade(plan.changes, { context, session, view, recorder })
    if (button?.typed === undefined) return
    const finish = (newest: Generation | undefined) => ({ plans: finishPlans(newest, context.run) })
    await session.store.update(finish, 'Note what was upgraded')
  }
  await anchorAfter(() => machines.anchor(session, view), work)
  return { plan, applied: true }
}

/** Writes the plan down, and from which Kubernetes it goes where that changes: what is left is told by it. */
async function begin(
  { calendar, run }: RunContext,
  { store, spec }: StateSession,
  plan: Plan,
  options: { readonly resumable: boolean },
): Promise<StateRecorder> {
  const kubernetes = plan.changes.some(({ after }) => after?.kind === 'kubernetes')
  const { version } = spec.kubernetes
  const generation = await store.update((newest) => {
    const plans = recordPlan(plan, spec, run, calendar.now(), newest, options)
    if (!newest || !kubernetes) return { plans }
    const { inventory } = newest
    const { manifestsVersion = clusterKubernetes(inventory) } = inventory
    return {
      plans,
      inventory: { ...inventory, manifestsVersion },
      facts: [{ fact: 'upgrade-started', detail: { kubernetes: version } }],
    }
  }, 'Begin an upgrade')
  return new StateRecorder(store, generation.inventory)
}
