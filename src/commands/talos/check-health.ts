import { isClusterError } from '../../lib/cluster-error.ts'
import { checkClusterHealth, type HealthSentence } from '../../talos/api/cluster-health.ts'
import type { ReachedCluster } from './reached-cluster.ts'

/**
 * Has a control plane judge the whole cluster, the next one where the first cannot be reached. Returns
 * the sentences that are true; `tell` hears each as it comes, those that are waited for too.
 */
export async function checkHealth(
  { controlPlanes, addresses }: ReachedCluster,
  { waitMs, report }: { readonly waitMs: number; readonly report: (each: HealthSentence) => void },
): Promise<HealthSentence[]> {
  const query = { ...(await addresses()), waitMs }
  let unreachable: unknown
  for (const { api } of controlPlanes) {
    const held: HealthSentence[] = []
    try {
      for await (const each of checkClusterHealth(api, query)) {
        report(each)
        if (each.isTrue) held.push(each)
      }
      return held
    } catch (error) {
      if (held.length > 0 || !isClusterError(error, 'talos-unreachable')) throw error
      unreachable ??= error
    }
  }
  throw unreachable
}
