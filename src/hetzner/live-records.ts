import type { ClusterRecord } from '../plan/record.ts'
import type { HetznerCatalogue } from './catalogue.ts'
import { isShortLived } from './ownership.ts'
import { liveFirewall } from './records/firewall-record.ts'
import { liveLoadBalancer } from './records/load-balancer-record.ts'
import { liveNetwork } from './records/network-record.ts'
import { livePlacementGroup } from './records/placement-group-record.ts'
import { networkNames } from './records/record-parts.ts'
import { liveServer } from './records/server-record.ts'
import { liveSshKey } from './records/ssh-key-record.ts'
import type { ResourceLists, SortedLists } from './sort-lists.ts'

/** What is ours as records, known by the names of their records. */
export function liveRecords(
  lists: Pick<ResourceLists, 'networks'>,
  sorted: SortedLists,
  catalogue: HetznerCatalogue,
  network: string,
): ClusterRecord[] {
  const { networks, firewalls, placementGroups, sshKeys, loadBalancers, servers } = sorted
  const names = networkNames(lists.networks, networks.own, network)
  const firewall =
    firewalls.own.find(({ recorded }) => recorded) ??
    firewalls.own.find(({ item }) => !isShortLived(item.labels))
  const groups = new Map(placementGroups.own.map(({ item, name }) => [item.id, name]))
  return [
    ...networks.own.map(liveNetwork),
    ...firewalls.own.map(liveFirewall),
    ...placementGroups.own.map(livePlacementGroup),
    ...sshKeys.own.map(liveSshKey),
    ...loadBalancers.own.map((one) => liveLoadBalancer(one, names, catalogue)),
    ...servers.own
      // One that is being deleted will be gone; who creates it again waits for that.
      .filter(({ item }) => item.status !== 'deleting')
      .map((one) => liveServer(one, { networks: names, catalogue, firewall, groups })),
  ]
}
