import type { HetznerLeftovers } from '../../hetzner/observe-destroy.ts'
import { deleteLoadBalancerServices } from '../../kubernetes/cloud-resources.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import type { ClusterView } from '../../planner/hetzner-talos/cluster-view.ts'
import { ClusterReach } from '../../run/hetzner-talos/cluster-reach.ts'
import type { ClusterSession } from '../../run/hetzner-talos/cluster-session.ts'
import { openTemporaryRule } from '../../run/hetzner-talos/temporary-rule.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'

/** How long a cluster that is about to go may take to answer, and then its controller to let go, in milliseconds. */
const answerWithinMs = 60_000
const releaseWithinMs = 5 * 60_000

/**
 * Before a cluster goes: deletes the Services for which its cloud controller keeps load balancers, and
 * waits until it has removed them. Deleted behind its back they would be recreated as long as it runs.
 * A cluster that cannot be reached is only warned about: its load balancers are then deleted with the rest.
 */
export async function releaseLoadBalancers(
  context: RunContext,
  session: ClusterSession,
  {
    view,
    found,
    keepRule,
  }: {
    readonly view: ClusterView
    readonly found: HetznerLeftovers
    readonly keepRule: boolean
  },
): Promise<void> {
  if (!found.records.some(({ facts }) => facts?.['origin'] === 'controller')) return
  const { clock, signal, progress } = context
  try {
    await using _rule = await openTemporaryRule(context, view, session, { keepRule })
    using reach = new ClusterReach(context, session.store, view)
    await runPhase(
      progress,
      "Release the load balancers of the cluster's services",
      async (phase) => {
        const kubernetes = await reach.kubernetes(answerWithinMs, phase)
        const onPending = (reason: string) => phase.step(reason)
        const wait = { clock, signal, withinMs: releaseWithinMs, onPending }
        return deleteLoadBalancerServices(kubernetes, wait)
      },
      (services) => `${services.length} services`,
    )
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ClusterError)) throw error
    progress.warn(`the cluster's own services could not be asked to go first: ${error.message}`)
  }
}
