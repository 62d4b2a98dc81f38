import { type Change, isSwitchedOn } from '../../plan/change.ts'
import type { InventoryNode } from '../../plan/inventory.ts'
import { allInService, leftCordoned, type OutOfService } from '../out-of-service.ts'
import type { ClusterView } from './cluster-view.ts'

/** Pure. */
export function outOfService(
  { spec, generation, hetzner, running }: ClusterView,
  changes: readonly Change[],
): OutOfService {
  const { nodes = [], bootstrapped = false } = generation?.inventory ?? {}
  const byKey = new Map<string, Change>(changes.map((change) => [change.key, change]))
  // Without a network no node is ever in service.
  const bringsNetwork = byKey.get(`addon/${spec.cni.type}`)?.action === 'create'
  if (!bootstrapped || bringsNetwork) return allInService
  const actionsOf = (name: string) => ({
    server: byKey.get(`server/${name}`)?.action,
    node: byKey.get(`node/${name}`)?.action,
  })
  const away = nodes.filter((node) => {
    const actions = actionsOf(node.name)
    const isLeaving =
      node.leavingServerId !== undefined &&
      node.leavingServerId === hetzner.ids.get(`server/${node.name}`)
    return (
      isReturning(node, actions) ||
      (isLeaving && isGoing(node, actions)) ||
      isStarted(node, byKey.get(`server/${node.name}`))
    )
  })
  const awayNames = new Set(away.map(({ name }) => name))
  const known = new Set(nodes.map(({ name }) => name))
  const cordoned = leftCordoned(running?.cordoned ?? new Map(), { known, away: awayNames, changes })
  return { away: awayNames, cordoned }
}

/** A control plane is changed after others that need a place: whether they may stop is asked of etcd. */
function isStarted({ role, configDigest }: InventoryNode, change: Change | undefined): boolean {
  if (role !== 'worker' || configDigest === undefined) return false
  return change !== undefined && isSwitchedOn(change)
}

interface Actions {
  readonly server: Change['action'] | undefined
  readonly node: Change['action'] | undefined
}

/** Its former server is gone; one that is replaced by this run serves until its turn comes. */
function isReturning({ configDigest, leavingServerId }: InventoryNode, { server, node }: Actions) {
  const wasThere = configDigest !== undefined || leavingServerId !== undefined
  return wasThere && server !== 'replace' && (node === 'create' || node === 'replace')
}

/** A control plane that leaves has an order of its own, and etcd is asked about it. */
function isGoing({ role }: InventoryNode, { server, node }: Actions): boolean {
  const isTaken = server === 'replace' || server === 'delete' || node === 'delete'
  return role === 'worker' && isTaken
}
