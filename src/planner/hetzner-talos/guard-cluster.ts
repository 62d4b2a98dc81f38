import { guardOrders } from '../../hetzner/guard-orders.ts'
import { orderableFrom } from '../../hetzner/orderable.ts'
import type { Finding } from '../../lib/finding.ts'
import type { Change } from '../../plan/change.ts'
import { guardControlPlanes } from '../../plan/guard-control-planes.ts'
import { clusterKubernetes } from '../../plan/running-kubernetes.ts'
import { nearestName } from '../../spec/nearest-name.ts'
import { supportsKubernetes } from '../../spec/tables/version-matrix.ts'
import { isApplied } from '../applied-spec.ts'
import { guardPendingRestore } from '../pending-restore.ts'
import { checkServedAddress } from './check-served-address.ts'
import type { ClusterView } from './cluster-view.ts'
import { replacements, serverIds } from './compare-cluster.ts'
import { guardFixedSettings } from './guard-fixed-settings.ts'
import { guardProtection } from './guard-protection.ts'
import { guardSecondCluster } from './guard-second-cluster.ts'

export interface GuardOptions {
  /** Milliseconds since the epoch: decides what can still be ordered. */
  readonly now: number
  /** Names of nodes whose servers are to be replaced although nothing differs. */
  readonly replace?: readonly string[] | undefined
  /** It is a restore that plans: one that was started does not stand in its way. */
  readonly restores?: boolean | undefined
}

/** What forbids these changes, whoever plans them: an apply, an upgrade or a restore. */
export function guardCluster(
  view: ClusterView,
  changes: readonly Change[],
  { now, replace = [], restores = false }: GuardOptions,
): Finding[] {
  const { spec, generation, hetzner } = view
  const ids = serverIds(view)
  const members = (generation?.inventory.nodes ?? [])
    .filter(({ role, configDigest }) => role === 'control-plane' && configDigest !== undefined)
    .map(({ name, serverId }) => ({ name, serverGone: ids.get(name) !== serverId }))
  const pending = restores ? [] : guardPendingRestore(generation?.journal ?? [])
  // Until it is done, nothing else that is found means anything.
  if (pending.length > 0) return pending
  const second = guardSecondCluster(view)
  // Of a cluster that is not to be, there is nothing else to say.
  if (second.length > 0) return second
  const ofPlan = [
    ...guardControlPlanes(changes, {
      bootstrapped: generation?.inventory.bootstrapped ?? false,
      members,
      fileIsApplied: isApplied(spec, generation),
      asked: new Set(replacements(view, replace).keys()),
    }),
    ...guardProtection(changes),
    ...guardOrders(spec, changes, orderableFrom(hetzner.catalogue, now)),
  ]
  return [...guardFixedSettings(view), ...checkServedAddress(view), ...onceEach(ofPlan)]
}

/** What is true of a pool is said once, however many nodes it has. */
function onceEach(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()]
}

/** New nodes, those that take the place of others too, get the file's Talos at once, and the Kubernetes that the cluster runs. */
export function guardNewNodes(
  { spec, generation }: ClusterView,
  changes: readonly Change[],
): Finding[] {
  const running = clusterKubernetes(generation?.inventory)
  const makesNodes = changes.some(
    ({ action, after }) => action !== 'update' && after?.kind === 'node',
  )
  if (!makesNodes || running === undefined) return []
  if (supportsKubernetes(spec.talos.version, running)) return []
  return [
    {
      severity: 'error',
      path: ['talos', 'version'],
      message: `new nodes would run Talos ${spec.talos.version}, which does not run the Kubernetes ${running} of this cluster`,
      hint: `Write a Talos that runs Kubernetes ${running}, or upgrade the cluster first (\`hcloud-talos upgrade\`).`,
    },
  ]
}

/** A name that is mistyped must not pass for a node that is as it should be. */
export function checkReplaced({ nodes }: ClusterView, replace: readonly string[] = []): Finding[] {
  const names = nodes.map(({ name }) => name)
  return replace
    .filter((name) => !names.includes(name))
    .map((name) => {
      const near = nearestName(name, names)
      return {
        severity: 'error',
        path: ['nodes'],
        message: `${name}, which is to be replaced, is not a node of this cluster`,
        hint:
          near === undefined
            ? `Name one of its nodes: ${names.join(', ')}.`
            : `Did you mean ${near}?`,
      }
    })
}
