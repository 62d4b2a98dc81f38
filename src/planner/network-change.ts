import { addonNamed } from '../addons/catalogue.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import type { Finding } from '../lib/finding.ts'
import type { Change } from '../plan/change.ts'
import { partOf } from '../plan/record.ts'
import type { KnownCluster } from './known-cluster.ts'

/**
 * What becomes of the traffic of pods when the network addon of a cluster that runs goes, or comes into the place of
 * another; undefined where neither is so. Whoever wants that types the name of the cluster.
 */
export function networkChange(view: KnownCluster, changes: readonly Change[]): string | undefined {
  if (!view.generation?.inventory.bootstrapped) return undefined
  const [network] = changes.flatMap((change) => {
    const title = networkTitle(change)
    return title === undefined ? [] : [{ title, action: change.action }]
  })
  if (network?.action === 'delete') {
    return `${network.title} is removed, and traffic between pods, to Services and to DNS ends until you have installed another network and recreated the pods`
  }
  const wasWithout = view.generation.manifest.specDigest !== null && network?.action === 'create'
  if (!wasWithout) return undefined
  return `${network.title} takes the place of whatever network this cluster has: pods that run lose their connections until they are recreated`
}

/** What the network addon is called that a change is about; undefined for one about anything else. */
function networkTitle({ after, before }: Change): string | undefined {
  const record = after ?? before
  const addon = record && partOf(record) === 'addon' ? addonNamed(record.name) : undefined
  return addon?.brings === 'ready' ? addon.title : undefined
}

/** The same as a warning of the plan. */
export function warnNetworkChange(view: KnownCluster, changes: readonly Change[]): Finding[] {
  const message = networkChange(view, changes)
  if (message === undefined) return []
  const { clusterName } = view.spec
  return [
    {
      severity: 'warning',
      path: ['cni', 'type'],
      message,
      hint: `Confirm it by name: run \`hcloud-talos apply --confirm ${clusterName}\`, or the workflow by hand with the input confirm.`,
    },
  ]
}

/** Throws `not-confirmed` unless the name of the cluster was typed out for what ends the traffic of its pods. */
export async function requireTypedName(
  view: KnownCluster,
  changes: readonly Change[],
  typed: ((message: string) => Promise<string | undefined>) | undefined,
): Promise<void> {
  const message = networkChange(view, changes)
  if (message === undefined) return
  const { clusterName } = view.spec
  const name = await typed?.(message)
  if (name === clusterName) return
  throw new ClusterError(
    'not-confirmed',
    `${message}; nobody confirmed that, and nothing was changed`,
    {
      operation: 'change the network of',
      target: clusterName,
      hint: `Give --confirm ${clusterName}; in a workflow, run it by hand with the input confirm.`,
    },
  )
}
