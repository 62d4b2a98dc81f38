import { releaseOf } from '../../addons/addon-release.ts'
import { enabledAddons } from '../../addons/catalogue.ts'
import { findAddonDrift } from '../../addons/find-drift.ts'
import { createAddonCluster } from '../../kubernetes/addon-cluster.ts'
import { isClusterError } from '../../lib/cluster-error.ts'
import type { ClusterView } from '../../planner/hetzner-talos/cluster-view.ts'
import type { InspectedAddons } from '../../planner/known-cluster.ts'
import type { StateStore } from '../../store/state-store.ts'
import type { RunContext } from '../run-context.ts'
import { runPhase } from '../run-phase.ts'
import { addonRenderer } from './addon-renderer.ts'
import { ClusterReach } from './cluster-reach.ts'

/** How long Kubernetes may take for all of it, in milliseconds. */
const answerWithinMs = 60_000

/** The addons that are there as the file still asks for them: what differs in their objects was done by hand. */
export function settledAddons({ spec, generation }: ClusterView): ReadonlySet<string> {
  const { inventory } = generation ?? {}
  if (!inventory?.bootstrapped) return new Set()
  const { uid, addons } = inventory
  return new Set(
    enabledAddons(spec)
      .filter((addon) => {
        const { digest, begun } = addons[addon.name] ?? {}
        return !begun && digest === releaseOf(addon, spec, { uid }).digest
      })
      .map(({ name }) => name),
  )
}

/**
 * Compares the objects of addons with what was applied, by applying them as a dry run: what others added, or keep
 * for themselves, is no difference. Changes nothing. A cluster that does not answer is told as such.
 */
export async function inspectAddons(
  context: RunContext,
  store: StateStore,
  view: ClusterView,
): Promise<InspectedAddons> {
  const only = settledAddons(view)
  const { uid, addons: recorded = {} } = view.generation?.inventory ?? {}
  if (only.size === 0 || uid === undefined) return { drifts: new Map() }
  using reach = new ClusterReach(context, store, view)
  const late = AbortSignal.timeout(answerWithinMs)
  const signal = AbortSignal.any([context.signal, late])
  try {
    return await runPhase(
      context.progress,
      'Compare the objects of the addons',
      async () => {
        const access = await reach.access()
        const client = access.kubernetesOnce(reach.controlPlanes(), signal)
        const cluster = createAddonCluster(client, { clock: context.clock, signal })
        const renderer = addonRenderer({ ...context, signal }, () => reach.namedSecrets())
        const found = await findAddonDrift(
          view.spec,
          { uid },
          { cluster, renderer, recorded, only },
        )
        return { drifts: new Map(found.map(({ addon, drifts }) => [addon, drifts])) }
      },
      ({ drifts }) => `${drifts.size} of ${only.size} differ`,
    )
  } catch (error) {
    context.signal.throwIfAborted()
    if (late.aborted) return { drifts: new Map(), unread: 'Kubernetes took too long to answer' }
    if (isClusterError(error)) return { drifts: new Map(), unread: error.message }
    throw error
  }
}
