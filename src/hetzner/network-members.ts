import type { ApiLoadBalancer } from './api/load-balancers.ts'
import type { ApiServer } from './api/servers.ts'

/** Somebody in a network, whoever's it is. */
export interface NetworkMember {
  readonly kind: 'server' | 'load-balancer'
  readonly name: string
  readonly id: number
  /** All that it holds in the network, alias addresses included. */
  readonly addresses: readonly string[]
  /** The node group of a cluster autoscaler that made it. */
  readonly nodeGroup: string | undefined
}

/** The label that Hetzner's provider of the cluster autoscaler puts on its servers. */
const nodeGroupLabel = 'hcloud/node-group'

export function nodeGroupOf({ labels }: Pick<ApiServer, 'labels'>): string | undefined {
  return labels[nodeGroupLabel]
}

/** Who is in a network, by the lists of all servers and load balancers of the project. */
export function networkMembers(
  networkId: number,
  {
    servers,
    loadBalancers,
  }: { readonly servers: readonly ApiServer[]; readonly loadBalancers: readonly ApiLoadBalancer[] },
): NetworkMember[] {
  const addressesOf = ({ private_net }: Pick<ApiServer, 'private_net'>) =>
    private_net
      .filter(({ network }) => network === networkId)
      .flatMap(({ ip, alias_ips }) => [ip, ...(alias_ips ?? [])])
  const member = (kind: NetworkMember['kind'], one: ApiServer | ApiLoadBalancer) => {
    const { name, id } = one
    const addresses = addressesOf(one)
    return addresses.length === 0
      ? []
      : [{ kind, name, id, addresses, nodeGroup: nodeGroupOf(one) }]
  }
  return [
    ...servers.flatMap((server) => member('server', server)),
    ...loadBalancers.flatMap((loadBalancer) => member('load-balancer', loadBalancer)),
  ]
}

/** `server big-1 (id 42), of the autoscaler's node group big`. */
export function describeMember({ kind, name, id, nodeGroup }: NetworkMember): string {
  const what = `${kind === 'server' ? 'server' : 'load balancer'} ${name} (id ${id})`
  return nodeGroup === undefined ? what : `${what}, of the autoscaler's node group ${nodeGroup}`
}
