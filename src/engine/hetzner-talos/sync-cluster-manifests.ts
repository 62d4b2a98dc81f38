import { syncBootstrapManifests } from '../../kubernetes/bootstrap-manifests.ts'
import type { KubernetesClient } from '../../kubernetes/kubernetes-client.ts'
import { listNodes } from '../../kubernetes/nodes.ts'
import type { Clock } from '../../lib/clock.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import type { Inventory } from '../../plan/inventory.ts'
import { listBootstrapManifests } from '../../talos/api/manifests.ts'
import { askAny } from '../../talos/ask-any.ts'
import type { ControlPlane } from '../../talos/control-plane.ts'
import { hasLifecycleApi } from '../../talos/has-lifecycle-api.ts'
import { upgradeStep } from '../run-step.ts'

export interface SyncClusterManifestsOptions {
  /** Any of them: the manifests of one are the cluster's. */
  readonly controlPlanes: readonly [ControlPlane, ...ControlPlane[]]
  readonly kubernetes: KubernetesClient
  readonly inventory: Inventory
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly progress: PhaseProgress
}

/** How long CoreDNS and kube-proxy may take to roll out, in milliseconds. */
const rollOutWithinMs = 5 * 60_000

/**
 * Brings what Talos put into the cluster in line with its nodes' configs, as the last step of an upgrade
 * of Kubernetes. Waits for the rollout where pods can run; without a pod network they cannot.
 */
export async function syncClusterManifests(options: SyncClusterManifestsOptions): Promise<void> {
  const { controlPlanes, kubernetes, inventory, clock, signal, progress } = options
  await upgradeStep({ step: 'bring the bootstrap manifests in line', progress }, async (report) => {
    const manifests = await askAny(controlPlanes, (client) => listBootstrapManifests(client))
    // The API servers are of another version than those that were asked what they offer.
    kubernetes.refreshDiscovery()
    const nodes = await listNodes(kubernetes)
    await syncBootstrapManifests(kubernetes, manifests, {
      // Talos keeps an inventory of them since 1.13; the oldest node decides.
      inventory: inventory.nodes.every(
        ({ talosVersion }) => talosVersion === undefined || hasLifecycleApi(talosVersion),
      ),
      rollout: nodes.every(({ ready }) => ready),
      clock,
      signal,
      withinMs: rollOutWithinMs,
      onStep: report,
    })
  })
}
