import { isClusterError } from '../../lib/cluster-error.ts'
import { runTogether } from '../../lib/run-together.ts'
import type { Plan } from '../../plan/plan.ts'
import { type ApprovedPlan, judgePlan } from '../../plan/verdict.ts'
import type { ApplyStage } from '../../planner/apply-stages.ts'
import { addonsOf } from '../../planner/hetzner-talos/addons-of.ts'
import type { ClusterView, RunningConfigs } from '../../planner/hetzner-talos/cluster-view.ts'
import { configuredNodes } from '../../planner/hetzner-talos/cluster-view.ts'
import type { InspectedAddons } from '../../planner/known-cluster.ts'
import { describeDrift } from '../../talos/config-changes.ts'
import { inspectAddons, settledAddons } from '../inspect-addons.ts'
import { leaveAddons } from '../leave-addons.ts'
import type { RunContext } from '../run-context.ts'
import { ClusterReach } from './cluster-reach.ts'
import type { ClusterSession } from './cluster-session.ts'
import { inspectNodes } from './inspect-nodes.ts'
import type { LazyRule } from './lazy-rule.ts'

interface Asking {
  readonly stage?: ApplyStage | undefined
}

/**
 * The view with what the nodes run and what the objects of addons are like, for a plan: where the run has the identity and the firewall lets
 * anybody in, since a plan opens no firewall. What cannot be asked is told by the plan, and never fails it.
 */
export async function askNodes(
  context: RunContext,
  session: ClusterSession,
  observed: ClusterView,
  asking: Asking,
): Promise<ClusterView> {
  const { spec, store } = session
  const view = await askAddons(context, session, observed, asking)
  const isOpen = spec.firewall.talosApi.length > 0
  if (context.state.identity === undefined || !isOpen || !concerns(view, asking)) return view
  try {
    return { ...view, running: await inspectNodes(context, store, view) }
  } catch (error) {
    if (!isClusterError(error)) throw error
    const unread = new Map(configuredNodes(view).map(({ name }) => [name, error.message]))
    return { ...view, running: { drifts: new Map(), unread } }
  }
}

/** The same for an apply, which opens the firewall for that. */
export async function askNodesThrough(
  rule: LazyRule,
  context: RunContext,
  { store }: ClusterSession,
  view: ClusterView,
  asking: Asking,
): Promise<ClusterView> {
  const nodes = concerns(view, asking)
  const addons = concernsAddons(view, asking)
  if (!nodes && !addons) return view
  await rule.open(view)
  const [running, inspected] = await runTogether(context.signal, (signal) => [
    nodes ? inspectNodes({ ...context, signal }, store, view) : Promise.resolve(undefined),
    addons ? compareAddons({ ...context, signal }, store, view) : Promise.resolve(undefined),
  ])
  return { ...view, ...(running && { running }), ...(inspected && { addons: inspected }) }
}

async function askAddons(
  context: RunContext,
  { spec, store }: ClusterSession,
  view: ClusterView,
  asking: Asking,
): Promise<ClusterView> {
  const isOpen = spec.firewall.kubernetesApi.length > 0
  if (context.state.identity === undefined || !isOpen || !concernsAddons(view, asking)) return view
  return { ...view, addons: await compareAddons(context, store, view) }
}

async function compareAddons(
  context: RunContext,
  store: ClusterSession['store'],
  view: ClusterView,
): Promise<InspectedAddons> {
  using reach = new ClusterReach(context, store, view)
  return await inspectAddons(context, view, {
    addonsOf,
    kubernetesOnce: async (signal) =>
      (await reach.access()).kubernetesOnce(reach.controlPlanes(), signal),
    namedSecrets: () => reach.namedSecrets(),
  })
}

function concernsAddons(view: ClusterView, { stage }: Asking): boolean {
  return (stage === undefined || stage === 'addons') && settledAddons(view, addonsOf).size > 0
}

function concerns(view: ClusterView, { stage }: Asking): boolean {
  return (stage === undefined || stage === 'talos') && configuredNodes(view).length > 0
}

/**
 * An approved plan may have been made by somebody who could not ask the nodes: what it says nothing of is
 * left as it is, and told. A node that the approved plan changes anyway is judged with all that differs.
 */
export function leaveUnapproved(
  { progress }: Pick<RunContext, 'progress'>,
  view: ClusterView,
  { plan, draft, approved }: { plan: Plan; draft: Plan; approved: ApprovedPlan | undefined },
): ClusterView {
  const verdict = approved && judgePlan(plan, approved)
  if (verdict?.verdict !== 'moved') return view
  const unapproved = new Set(verdict.unapproved)
  const addons = view.addons && leaveAddons(progress, view.addons, unapproved)
  if (!view.running) return { ...view, addons }
  const changed = new Set<string>(draft.changes.map(({ key }) => key))
  const drifts = new Map(view.running.drifts)
  for (const [name, differences] of drifts) {
    if (changed.has(`node/${name}`) || !unapproved.has(`update node/${name}`)) continue
    progress.warn(`${name} stays as it is: ${describeDrift(differences)}, which nobody approved`)
    drifts.set(name, [])
  }
  const unregistered = new Set(view.running.unregistered)
  for (const name of unregistered) {
    if (changed.has(`node/${name}`) || !unapproved.has(`update node/${name}`)) continue
    progress.warn(
      `${name} runs, and Kubernetes does not know it; nobody approved that its kubelet is restarted: look at a new plan and apply that one`,
    )
    unregistered.delete(name)
  }
  const running: RunningConfigs = { ...view.running, drifts, unregistered }
  return { ...view, running, addons }
}
