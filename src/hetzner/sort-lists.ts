import { placementGroupName } from '../plan/allocate-nodes.ts'
import type { RecordKind } from '../plan/record.ts'
import type { ApiFirewall } from './api/firewalls.ts'
import type { ApiLoadBalancer } from './api/load-balancers.ts'
import type { ApiNetwork } from './api/networks.ts'
import type { ApiPlacementGroup } from './api/placement-groups.ts'
import type { ApiServer } from './api/servers.ts'
import type { ApiSshKey } from './api/ssh-keys.ts'
import type { NamedNetwork } from './lent-network.ts'
import {
  type Identifiable,
  type Ownership,
  type OwnResource,
  type SortedResources,
  serverNameOf,
  sortResources,
} from './own-resources.ts'

/** Everything of a project of the kinds that clusters are made of. */
export interface ResourceLists {
  readonly servers: readonly ApiServer[]
  readonly networks: readonly NamedNetwork[]
  readonly firewalls: readonly ApiFirewall[]
  readonly placementGroups: readonly ApiPlacementGroup[]
  readonly loadBalancers: readonly ApiLoadBalancer[]
  readonly sshKeys: readonly ApiSshKey[]
}

export interface SortedLists {
  readonly servers: SortedResources<ApiServer>
  readonly networks: SortedResources<ApiNetwork>
  readonly firewalls: SortedResources<ApiFirewall>
  readonly placementGroups: SortedResources<ApiPlacementGroup>
  readonly loadBalancers: SortedResources<ApiLoadBalancer>
  readonly sshKeys: SortedResources<ApiSshKey>
}

/** Sorts a project by whose everything is. A cluster has one of each kind but servers and their groups. Pure. */
export function sortLists(lists: ResourceLists, ownership: Ownership): SortedLists {
  const { clusterName } = ownership
  const theOne = () => clusterName
  const servers = sortResources('server', lists.servers, ownership, serverNameOf(clusterName))
  const groupName = groupNameOf(clusterName, servers.own)
  return {
    servers,
    networks: sortResources('network', lists.networks, ownership, theOne),
    firewalls: sortResources('firewall', lists.firewalls, ownership, theOne),
    placementGroups: sortResources('placement-group', lists.placementGroups, ownership, groupName),
    loadBalancers: sortResources('load-balancer', lists.loadBalancers, ownership, theOne),
    sshKeys: sortResources('ssh-key', lists.sshKeys, ownership, theOne),
  }
}

/** Labels do not say which of the groups one is: its name does, or, where that was changed, our servers in it. */
function groupNameOf(clusterName: string, servers: readonly OwnResource<ApiServer>[]) {
  return ({ name, servers: members }: ApiPlacementGroup): string => {
    if (name.startsWith(`${clusterName}-`) && /-\d+$/.test(name)) return name
    const member = servers.find(({ item }) => members?.includes(item.id))
    const { pool, slot } = member?.node ?? {}
    if (pool === undefined || slot === undefined) return name
    return placementGroupName(clusterName, pool, slot)
  }
}

/** The kinds, each with what was found of it. */
export function kindsOf(sorted: SortedLists): [RecordKind, SortedResources<Identifiable>][] {
  return [
    ['network', sorted.networks],
    ['firewall', sorted.firewalls],
    ['placement-group', sorted.placementGroups],
    ['ssh-key', sorted.sshKeys],
    ['load-balancer', sorted.loadBalancers],
    ['server', sorted.servers],
  ]
}
