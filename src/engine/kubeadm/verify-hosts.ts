import { ClusterError } from '../../lib/cluster-error.ts'
import { foundIn } from '../../planner/kubeadm/found-in-view.ts'
import type { HostsView } from '../../planner/kubeadm/hosts-view.ts'
import { keptCordons } from '../../planner/kubeadm/kept-cordons.ts'
import { planApply } from '../../planner/kubeadm/plan-apply.ts'
import { HostsReach } from '../../run/kubeadm/hosts-reach.ts'
import type { HostsSession } from '../../run/kubeadm/hosts-session.ts'
import { knownHosts } from '../../run/kubeadm/known-hosts.ts'
import { reachedBy } from '../../run/kubeadm/observe-hosts.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import { waitForNodes } from '../wait-for-nodes.ts'
import { waitForControlPlane } from './wait-for-control-plane.ts'

/** How long everything may take to be healthy after an apply, in milliseconds. */
const withinMs = 10 * 60_000

/**
 * Sees for itself that an apply has done its work: the next plan is empty, the components of every control plane are
 * healthy, etcd has a member on each that was reached, and every node is Ready (where the network is ours to bring). Throws `plan-moved`,
 * `wait-timeout`.
 */
export async function verifyHosts(
  context: RunContext,
  session: HostsSession,
  view: HostsView,
): Promise<void> {
  const left = planApply(view, { now: context.calendar.now() }).changes
  if (left.length > 0) {
    const changed = left.map(({ action, key }) => `${action} ${key}`).join(', ')
    throw new ClusterError(
      'plan-moved',
      `somebody changed the cluster while this ran: ${changed}`,
      {
        operation: 'verify the cluster',
        target: view.spec.clusterName,
        hint: 'Look at a new plan (`hcloud-talos plan`), then apply again. Where nobody changed anything, please report it.',
      },
    )
  }
  const { clock, signal, progress } = context
  const reached = foundIn(view).hosts
  const known = knownHosts(view.spec, view.generation?.inventory)
  const controlPlanes = known.filter(
    ({ name, role }) => role === 'control-plane' && reached.has(name),
  )
  // The plan has named them; nothing that stops a control plane, takes one or adds one was done beside them.
  const away = new Set(known.flatMap(({ name }) => (reached.has(name) ? [] : [name])))
  using reach = new HostsReach(context)
  reach.use(controlPlanes.map((host) => reachedBy(session, host)))
  await runPhase(
    progress,
    'Check that the cluster is healthy',
    async (phase) => {
      for (const { name } of controlPlanes) {
        await waitForControlPlane(name, { context, reach, progress: phase, away })
      }
      const onPending = (reason: string) => phase.step(reason)
      const wait = { clock, signal, withinMs, onPending }
      const kubernetes = await reach.kubernetes(withinMs, onPending)
      const nodes = view.spec.hosts.filter(({ name }) => reached.has(name))
      const isReady = await waitForNodes({
        spec: view.spec,
        kubernetes,
        nodes: nodes.map(({ name }) => ({ name })),
        kept: keptCordons(view),
        wait,
        progress: phase,
      })
      if (!isReady) return 'nodes are Ready once you bring a network'
      const etcd = away.size === 0 ? 'etcd is healthy' : `not reached: ${[...away].join(', ')}`
      return `${nodes.length} nodes are Ready, ${etcd}, nothing is left to do`
    },
    (result) => result,
  )
}
