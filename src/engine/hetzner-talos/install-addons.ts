import { applyAddons } from '../../addons/apply.ts'
import { createAddonCluster } from '../../kubernetes/addon-cluster.ts'
import type { KubernetesClient } from '../../kubernetes/kubernetes-client.ts'
import type { Change } from '../../plan/change.ts'
import { leftAddons } from '../../planner/compare-addons.ts'
import type { ClusterView } from '../../planner/hetzner-talos/cluster-view.ts'
import { addonRenderer } from '../../run/hetzner-talos/addon-renderer.ts'
import type { RunContext } from '../../run/run-context.ts'
import type { StateRecorder } from '../../run/state-recorder.ts'
import type { NamedSecrets } from '../../spec/secret-reference.ts'

export interface InstallAddonsInput {
  readonly view: ClusterView
  readonly recorder: StateRecorder
  readonly kubernetes: KubernetesClient
  /** What the plan changes of addons. */
  readonly changes: readonly Change[]
  /** Values of the secrets that values of addons refer to; read where there are any. */
  readonly namedSecrets: () => Promise<NamedSecrets>
}

/** Brings the addons to what the spec asks for, all of them in their order but those that are left as they are, and records what is there now. */
export async function installAddons(
  context: RunContext,
  { view, recorder, kubernetes, changes, namedSecrets }: InstallAddonsInput,
): Promise<void> {
  const { clock, signal, redactor, hetznerToken = '' } = context
  const { spec, nodes } = view
  const { addons } = await applyAddons({
    spec,
    uid: recorder.inventory.uid,
    nodes: nodes.map((node) => node.name),
    credentials: { token: hetznerToken, network: networkOf(view) },
    cluster: createAddonCluster(kubernetes, { clock, signal }),
    renderer: addonRenderer(context, namedSecrets),
    recorded: recorder.inventory.addons,
    left: leftAddons(view, changes),
    onStart: async (started) => {
      recorder.record('Start the addons', (inventory) => ({ ...inventory, addons: started }))
      await recorder.flush()
    },
    progress: context.progress,
    redactor,
  })
  recorder.record('Record the addons', (inventory) => ({ ...inventory, addons }))
}

/** By what Hetzner's controllers find the network: one that is lent to the cluster may be renamed by its owner. */
function networkOf({ spec, hetzner: { existingNetwork } }: ClusterView): string {
  return existingNetwork ? String(existingNetwork.id) : spec.clusterName
}
