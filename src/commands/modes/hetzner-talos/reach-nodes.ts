import type { ClusterAccess } from '../../../run/hetzner-talos/cluster-access.ts'
import type { ClusterReach, ReachableCluster } from '../../../run/hetzner-talos/cluster-reach.ts'
import { serverFates } from './diagnose-servers.ts'

/** A configured node whose server runs, as far as is known, and where to dial it. */
export interface ReachedNode {
  readonly name: string
  readonly role: 'control-plane' | 'worker'
  readonly address: string
  readonly serverId: number | undefined
}

/** A way to the nodes of a cluster that may be broken. */
export interface Reached {
  readonly view: ReachableCluster
  readonly reach: ClusterReach
  readonly access: ClusterAccess
}

/** Those that may answer: what Hetzner says is gone or off is known already, and would only be waited for. */
export function nodesThatRun(view: ReachableCluster, reach: ClusterReach): ReachedNode[] {
  return serverFates(view)
    .filter(({ fate }) => fate === 'running')
    .flatMap(({ name, role }) => {
      const { publicIp: address, serverId } = reach.addresses.factsOf(name) ?? {}
      return address === undefined ? [] : [{ name, role, address, serverId }]
    })
}
