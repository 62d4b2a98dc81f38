import { isClusterError } from '../../lib/cluster-error.ts'
import type { Inventory } from '../../plan/inventory.ts'
import { addonsOf } from '../../planner/hetzner-talos/addons-of.ts'
import type { ClusterView } from '../../planner/hetzner-talos/cluster-view.ts'
import { ClusterAccess } from '../../run/hetzner-talos/cluster-access.ts'
import { NodeAddresses } from '../../run/hetzner-talos/node-addresses.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import type { SecretsBundle } from '../../talos/config/secrets-bundle.ts'
import { findAddons } from '../find-addons.ts'

/** How long the Kubernetes API may take to answer, in milliseconds. */
const withinMs = 2 * 60_000

/**
 * Which addons a cluster has, found by looking: one that is there just as the file asks for it counts as
 * applied, one that differs does not, and the next apply installs it over what is there. Where Kubernetes
 * does not answer none counts. Changes nothing.
 */
export async function recoverAddons(
  context: RunContext,
  view: ClusterView,
  { secrets, uid }: { readonly secrets: SecretsBundle; readonly uid: string },
): Promise<Inventory['addons']> {
  const { keys, clock, calendar, random, redactor, signal, progress } = context
  const { clusterName } = view.spec
  const options = { clusterName, secrets, keys, clock, calendar, random, redactor, signal }
  using access = new ClusterAccess(options)
  const addresses = new NodeAddresses()
  for (const { kind, name, facts } of view.hetzner.records) {
    if (kind === 'server') addresses.learn(name, facts)
  }
  return await runPhase(
    progress,
    'Look for addons',
    async (phase) => {
      const onPending = (reason: string) => phase.step(reason)
      try {
        const nodes = view.nodes.flatMap(({ name, role }) => {
          const address = addresses.factsOf(name)?.publicIp
          return role === 'control-plane' && address !== undefined ? [{ name, address }] : []
        })
        const kubernetes = await access.kubernetes(nodes, { withinMs, onPending })
        return await findAddons(context, { spec: view.spec, uid, addonsOf, kubernetes })
      } catch (error) {
        if (!isClusterError(error, 'wait-timeout', 'kubernetes-unreachable')) throw error
        progress.warn(`Kubernetes does not answer, so an apply will install the addons again`)
        return {}
      }
    },
    (addons) => Object.keys(addons).join(', ') || 'none',
  )
}
