import type { KubernetesClient } from '../kubernetes/kubernetes-client.ts'
import { clearStaleCordon, listNodes, uncordon } from '../kubernetes/nodes.ts'
import type { PhaseProgress } from '../lib/progress.ts'

/**
 * Takes off the cordons that runs of ours made and that nothing stands behind any more: an upgrade or a drain that
 * ended early. `kept` says of nodes by name why theirs stays. A cordon that somebody made by hand has no mark of ours,
 * and is left alone. A mark that outlived its cordon is taken off too, or the next one would pass for ours.
 */
export async function releaseCordons(
  kubernetes: KubernetesClient,
  kept: ReadonlyMap<string, string>,
  progress: PhaseProgress,
): Promise<void> {
  for (const { name, cordonedBy, unschedulable } of await listNodes(kubernetes)) {
    if (cordonedBy === undefined) continue
    const reason = kept.get(name)
    if (!unschedulable) await clearStaleCordon(kubernetes, name)
    else if (reason !== undefined) progress.step(`${name} stays cordoned: ${reason}`)
    else if (await uncordon(kubernetes, name)) {
      progress.step(`${name}: uncordoned (the run ${cordonedBy} had cordoned it, and ended early)`)
    }
  }
}
