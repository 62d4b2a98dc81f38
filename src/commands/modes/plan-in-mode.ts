import type { Finding } from '../../lib/finding.ts'
import { runTogether } from '../../lib/run-together.ts'
import type { Plan, Verb } from '../../plan/plan.ts'
import type { ApplyStage } from '../../planner/apply-stages.ts'
import type { KnownCluster } from '../../planner/known-cluster.ts'
import { type Approval, type ApprovalSource, findApproval } from '../../run/approval.ts'
import type { ClusterFile } from '../../run/cluster-file.ts'
import { findUnapplied, readMergedForPlan } from '../../run/merged-file.ts'
import type { ClusterLifecycle } from '../../run/mode/cluster-mode.ts'
import { givenSecrets } from '../../run/named-secrets.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import { secretFindings } from '../../run/secret-findings.ts'
import type { StateSession } from '../../run/state-session.ts'
import type { CommonSpec } from '../../spec/common-spec.ts'
import { locateFindings } from '../../spec/yaml/locate-findings.ts'
import { warnDamagedHistory } from './doctor/damaged-history.ts'

export interface PlanInput {
  readonly file: ClusterFile
  readonly verb: Exclude<Verb, 'destroy'>
  readonly stage?: ApplyStage | undefined
  /** Who tells what was approved, for a plan that is to be compared with it. */
  readonly approvals?: ApprovalSource | undefined
  /** Names of nodes whose servers are to be replaced although nothing differs; of an apply alone. */
  readonly replace?: readonly string[] | undefined
}

export interface PlanResult {
  readonly spec: CommonSpec
  readonly plan: Plan
  /** What is doubtful in the file itself. */
  readonly findings: readonly Finding[]
  /** Nodes whose machine configs, and addons whose objects, were changed by hand, as far as they could be asked. */
  readonly drifted: readonly string[]
  /** What is known to be approved of it, where that was asked. */
  readonly approval: Approval | undefined
  /** How many requests the provider was asked. */
  readonly requests: number
}

/**
 * Says what an apply, or an upgrade, would do. Changes nothing, and needs neither the age identity nor
 * a token that may write; with the identity, and where the firewall lets it, it asks the nodes too. A plan with errors among its findings is returned like any other.
 */
export async function planInMode<S extends StateSession, V extends KnownCluster>(
  { open, machines, nodes, life }: ClusterLifecycle<S, V>,
  context: RunContext,
  input: PlanInput,
): Promise<PlanResult> {
  await using session = await open(context, input.file)
  const [observed, merged] = await runTogether(context.signal, (signal) => [
    runPhase(context.progress, 'Look at what is there', () =>
      machines.observe(
        session,
        input.verb === 'apply' ? givenSecrets(context, session.spec) : undefined,
      ),
    ),
    readMergedForPlan({ ...context, signal }, input.file),
  ])
  const view =
    input.verb === 'apply' ? await nodes.inspect(context, session, observed, input) : observed
  const now = context.calendar.now()
  const made =
    input.verb === 'upgrade'
      ? life.planUpgrade(view, { now })
      : life.planApply(view, { now, stage: input.stage, replace: input.replace })
  const plan = await nodes.checkPlan(context, session, made)
  const { generation } = view
  const approval =
    input.approvals && plan.changes.length > 0
      ? await findApproval(context, input.approvals, {
          ...input,
          plan,
          spec: session.spec,
          generation,
        })
      : undefined
  const damaged = view.generation ? await warnDamagedHistory(session.store) : []
  const unapplied = findUnapplied(merged, input.file, view.generation, context)
  return {
    spec: session.spec,
    plan: {
      ...plan,
      findings: [
        ...unapplied,
        ...damaged,
        ...warnNotHandedOver(view),
        ...secretFindings(view, input.file),
        ...locateFindings(input.file.text, plan.findings),
      ],
    },
    findings: [
      ...session.findings,
      ...locateFindings(input.file.text, life.fileFindings(session, now)),
    ],
    drifted: nodes.driftedNames(view),
    approval,
    requests: machines.requestsOf(session),
  }
}

/** From the merge that names the next key until the rotation the former one still opens and signs the state. */
function warnNotHandedOver({ generation, spec: { state } }: KnownCluster): Finding[] {
  if (!generation || generation.manifest.keyEpoch >= state.signers.length) return []
  return [
    {
      severity: 'warning',
      path: ['state', 'signer'],
      message:
        'state.signer names a newer key than the one that the state is of: until the state is handed over, the former key opens and signs it',
      hint: 'Run `hcloud-talos rotate` (or `hcloud-talos revoke`, if somebody has the former identity).',
    },
  ]
}
