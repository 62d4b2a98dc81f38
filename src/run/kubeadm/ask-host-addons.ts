import type { Plan } from '../../plan/plan.ts'
import { type ApprovedPlan, judgePlan } from '../../plan/verdict.ts'
import type { ApplyStage } from '../../planner/apply-stages.ts'
import { addonsOfHosts } from '../../planner/kubeadm/addons-of-hosts.ts'
import type { HostsView } from '../../planner/kubeadm/hosts-view.ts'
import { inspectAddons, settledAddons } from '../inspect-addons.ts'
import { leaveAddons } from '../leave-addons.ts'
import { readKept } from '../named-secrets.ts'
import type { RunContext } from '../run-context.ts'
import type { HostsSession } from './hosts-session.ts'
import { reachInView } from './reach-in-view.ts'

/**
 * The view with what the objects of addons are like, for a plan: nothing has to be opened for that, since whoever reaches
 * the hosts reaches the API. What cannot be asked is reported by the plan, and never fails it.
 */
export async function askHostAddons(
  context: RunContext,
  session: HostsSession,
  view: HostsView,
  { stage }: { readonly stage?: ApplyStage | undefined },
): Promise<HostsView> {
  const isConcerned = stage === undefined || stage === 'addons'
  if (!isConcerned || !view.cluster || settledAddons(view, addonsOfHosts).size === 0) return view
  using reach = reachInView(session, view)
  const addons = await inspectAddons(context, view, {
    addonsOf: addonsOfHosts,
    kubernetesOnce: async (signal) => reach.kubernetesOnce(signal),
    namedSecrets: () => readKept(session.store),
  })
  return { ...view, addons }
}

/** What an approved plan says nothing of is left as it is: it may have been made by somebody who could not ask. */
export function leaveUnapprovedAddons(
  { progress }: Pick<RunContext, 'progress'>,
  view: HostsView,
  { plan, approved }: { readonly plan: Plan; readonly approved: ApprovedPlan | undefined },
): HostsView {
  const verdict = approved && judgePlan(plan, approved)
  if (verdict?.verdict !== 'moved' || !view.addons) return view
  return { ...view, addons: leaveAddons(progress, view.addons, new Set(verdict.unapproved)) }
}
