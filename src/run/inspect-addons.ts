import { releaseOf } from '../addons/addon-release.ts'
import { type AddonsOf, enabledAddons } from '../addons/catalogue.ts'
import { findAddonDrift } from '../addons/find-drift.ts'
import { createAddonCluster } from '../kubernetes/addon-cluster.ts'
import type { KubernetesClient } from '../kubernetes/kubernetes-client.ts'
import { isClusterError } from '../lib/cluster-error.ts'
import type { InspectedAddons, KnownCluster } from '../planner/known-cluster.ts'
import type { CommonSpec } from '../spec/common-spec.ts'
import type { NamedSecrets } from '../spec/secret-reference.ts'
import { addonRenderer } from './addon-renderer.ts'
import type { RunContext } from './run-context.ts'
import { runPhase } from './run-phase.ts'

/** How long Kubernetes may take for all of it, in milliseconds. */
const answerWithinMs = 60_000

interface KnownAddons<Spec extends CommonSpec> extends Pick<KnownCluster, 'generation'> {
  readonly spec: Spec
}

/** The addons that are there as the file still asks for them: what differs in their objects was done by hand. */
export function settledAddons<Spec extends CommonSpec>(
  { spec, generation }: KnownAddons<Spec>,
  addonsOf: AddonsOf<Spec>,
): ReadonlySet<string> {
  const { inventory } = generation ?? {}
  if (!inventory?.bootstrapped) return new Set()
  const { uid, addons } = inventory
  return new Set(
    enabledAddons(spec, addonsOf)
      .filter((addon) => {
        const { digest, begun } = addons[addon.name] ?? {}
        return !begun && digest === releaseOf(addon, spec, { uid }).digest
      })
      .map(({ name }) => name),
  )
}

/** How the objects of a cluster's addons are reached. */
export interface ReachedAddons<Spec extends CommonSpec> {
  readonly addonsOf: AddonsOf<Spec>
  /** A client that asks once: somebody who looks waits for nobody. */
  readonly kubernetesOnce: (signal: AbortSignal) => Promise<KubernetesClient>
  readonly namedSecrets: () => Promise<NamedSecrets>
}

/**
 * Compares the objects of addons with what was applied, by applying them as a dry run: what others added, or keep
 * for themselves, is no difference. Changes nothing. A cluster that does not answer is told as such.
 */
export async function inspectAddons<Spec extends CommonSpec>(
  context: RunContext,
  view: KnownAddons<Spec>,
  { addonsOf, kubernetesOnce, namedSecrets }: ReachedAddons<Spec>,
): Promise<InspectedAddons> {
  const only = settledAddons(view, addonsOf)
  const { uid, addons: recorded = {} } = view.generation?.inventory ?? {}
  if (only.size === 0 || uid === undefined) return { drifts: new Map() }
  const late = AbortSignal.timeout(answerWithinMs)
  const signal = AbortSignal.any([context.signal, late])
  try {
    return await runPhase(
      context.progress,
      'Compare the objects of the addons',
      async () => {
        const client = await kubernetesOnce(signal)
        const cluster = createAddonCluster(client, { clock: context.clock, signal })
        const renderer = addonRenderer({ ...context, signal }, namedSecrets)
        const found = await findAddonDrift(
          view.spec,
          { uid },
          { addonsOf, cluster, renderer, recorded, only },
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
