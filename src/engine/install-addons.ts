import { type AppliedAddons, applyAddons } from '../addons/apply.ts'
import type { AddonsOf } from '../addons/catalogue.ts'
import type { HetznerCredentials } from '../addons/credentials.ts'
import { createAddonCluster } from '../kubernetes/addon-cluster.ts'
import type { KubernetesClient } from '../kubernetes/kubernetes-client.ts'
import type { Change } from '../plan/change.ts'
import { leftAddons } from '../planner/compare-addons.ts'
import type { KnownCluster } from '../planner/known-cluster.ts'
import { addonRenderer } from '../run/addon-renderer.ts'
import type { RunContext } from '../run/run-context.ts'
import type { StateRecorder } from '../run/state-recorder.ts'
import type { CommonSpec } from '../spec/common-spec.ts'
import type { NamedSecrets } from '../spec/secret-reference.ts'

export interface InstallAddonsInput<Spec extends CommonSpec> {
  readonly view: Pick<KnownCluster, 'nodes' | 'addons'> & { readonly spec: Spec }
  /** All addons that a cluster of this mode may have. */
  readonly addonsOf: AddonsOf<Spec>
  /** What addons reach Hetzner with; undefined in a mode that has none which do. */
  readonly credentials: HetznerCredentials | undefined
  readonly recorder: StateRecorder
  readonly kubernetes: KubernetesClient
  /** What the plan changes of addons. */
  readonly changes: readonly Change[]
  /** Values of the secrets that values of addons refer to; read where there are any. */
  readonly namedSecrets: () => Promise<NamedSecrets>
}

/**
 * Brings the addons of a cluster of any mode to what its spec asks for, all of them in their order but those that are
 * left as they are, and records what is there now.
 */
export async function installAddons<Spec extends CommonSpec>(
  context: RunContext,
  input: InstallAddonsInput<Spec>,
): Promise<AppliedAddons> {
  const { view, addonsOf, credentials, recorder, kubernetes, changes, namedSecrets } = input
  const { clock, signal, redactor } = context
  const applied = await applyAddons({
    spec: view.spec,
    addonsOf,
    uid: recorder.inventory.uid,
    nodes: view.nodes.map((node) => node.name),
    credentials,
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
  const { addons } = applied
  recorder.record('Record the addons', (inventory) => ({ ...inventory, addons }))
  return applied
}
