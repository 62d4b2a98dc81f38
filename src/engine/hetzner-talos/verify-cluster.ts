import { ClusterError } from '../../lib/cluster-error.ts'
import { createLimit } from '../../lib/limit.ts'
import { type Change, isSwitchedOn } from '../../plan/change.ts'
import type { ClusterView } from '../../planner/hetzner-talos/cluster-view.ts'
import { keptCordons } from '../../planner/hetzner-talos/kept-cordons.ts'
import { planApply } from '../../planner/hetzner-talos/plan-apply.ts'
import { ClusterReach } from '../../run/hetzner-talos/cluster-reach.ts'
import type { ClusterSession } from '../../run/hetzner-talos/cluster-session.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import { waitForHealthyEtcd } from '../../talos/etcd/wait-for-healthy-etcd.ts'
import { waitForNodes } from '../wait-for-nodes.ts'
import { healthBefore, waitForComponents } from './wait-for-components.ts'

/** At how many nodes' components is looked at once. */
const looksAtOnce = 16
/** How long everything may take to be healthy after an apply, in milliseconds. */
const withinMs = 10 * 60_000

/**
 * Sees for itself that an apply has done its work: the next plan is empty, etcd is healthy, the components of
 * Kubernetes on every node are healthy, and every node is Ready (where the network is ours to bring).
 * Throws `plan-moved`, `etcd-unhealthy`, `component-unhealthy`, `wait-timeout`.
 */
export async function verifyCluster(
  context: RunContext,
  session: ClusterSession,
  view: ClusterView,
): Promise<void> {
  const { clock, signal, progress, redactor } = context
  const left = planApply(view, { now: context.calendar.now() }).changes
  if (left.length > 0) throw changedMeanwhile(left, view.spec.clusterName)
  using reach = new ClusterReach(context, session.store, view)
  await runPhase(
    progress,
    'Check that the cluster is healthy',
    async (phase) => {
      const [first, ...others] = reach.controlPlanes()
      if (!first) throw new Error('a cluster without a control plane passed the checks')
      const onPending = (reason: string) => phase.step(reason)
      const wait = { clock, signal, withinMs, onPending }
      const access = await reach.access()
      await waitForHealthyEtcd(access.controlPlanes([first, ...others]), wait)
      const limit = createLimit(looksAtOnce)
      await Promise.all(
        view.nodes.map(({ name, role }) =>
          limit(async () => {
            const client = access.talos(reach.addresses.of(name).address)
            const node = { name, isControlPlane: role === 'control-plane' }
            const now = await healthBefore(client, node)
            // Whatever is wrong with it is asked for, and what is not restarting need not prove that it stays.
            const before = now && { ...now, problems: [] }
            await waitForComponents({
              client,
              node,
              restarts: [],
              before,
              redactor,
              clock,
              signal,
              onPending: (reason) => phase.step(`${name}: ${reason}`),
            })
          }),
        ),
      )
      const kubernetes = await reach.kubernetes(withinMs, phase)
      const nodes = view.nodes.map(({ name }) => ({
        name,
        serverId: reach.addresses.factsOf(name)?.serverId,
      }))
      const kept = keptCordons(view, context.calendar.now())
      const { spec } = view
      const isReady = await waitForNodes({ spec, kubernetes, nodes, kept, wait, progress: phase })
      if (!isReady) return 'nodes are Ready once you bring a network'
      return `${nodes.length} nodes are Ready, etcd is healthy, nothing is left to do`
    },
    (result) => result,
  )
}

/** What there is to do right after all was done: by somebody else, or because a server does not run any more. */
function changedMeanwhile(left: readonly Change[], clusterName: string): ClusterError {
  const off = left.filter(isSwitchedOn).flatMap(({ before }) => before?.name ?? [])
  const rest = left.filter(({ key }) => !off.some((name) => key === `server/${name}`))
  const changed = rest.map(({ action, key }) => `${action} ${key}`).join(', ')
  const messages = [
    ...(off.length > 0 ? [`switched off while this ran: the server of ${off.join(', ')}`] : []),
    ...(rest.length > 0 ? [`somebody changed the cluster while this ran: ${changed}`] : []),
  ]
  const hint =
    rest.length === 0
      ? 'Apply again (`hcloud-talos apply`): it starts what is off. No run leaves a server off, so look in the console of Hetzner at who switched it off.'
      : 'Look at a new plan (`hcloud-talos plan`), then apply again. Where nobody changed anything, please report it.'
  return new ClusterError('plan-moved', messages.join('; '), {
    operation: 'verify the cluster',
    target: clusterName,
    hint,
  })
}
