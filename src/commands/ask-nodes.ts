import { isClusterError } from '../lib/cluster-error.ts'
import type { Plan } from '../plan/plan.ts'
import { type ApprovedPlan, judgePlan } from '../plan/verdict.ts'
import { describeDrift } from '../talos/config-changes.ts'
import type { ApplyStage } from './apply-stages.ts'
import type { ClusterSession } from './cluster-session.ts'
import { configuredNodes, inspectNodes } from './inspect-nodes.ts'
import type { LazyDoor } from './lazy-door.ts'
import type { ClusterView } from './observe-cluster.ts'
import type { RunContext } from './run-context.ts'
import type { RunningConfigs } from './running-configs.ts'

interface Asking {
  readonly stage?: ApplyStage | undefined
}

/**
 * The view with what the nodes run, for a plan: where the run has the identity and the firewall lets
 * anybody in, since a plan opens no door. What cannot be asked is told by the plan, and never fails it.
 */
export async function askNodes(
  context: RunContext,
  { spec, store }: ClusterSession,
  view: ClusterView,
  asking: Asking,
): Promise<ClusterView> {
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

/** The same for an apply, which opens its door for that. */
export async function askNodesThrough(
  door: LazyDoor,
  context: RunContext,
  { store }: ClusterSession,
  view: ClusterView,
  asking: Asking,
): Promise<ClusterView> {
  if (!concerns(view, asking)) return view
  await door.open(view)
  return { ...view, running: await inspectNodes(context, store, view) }
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
  if (!view.running || verdict?.verdict !== 'moved') return view
  const unapproved = new Set(verdict.unapproved)
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
  return { ...view, running }
}
