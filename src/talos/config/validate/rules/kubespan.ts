import type { ConfigPath, Fault } from '../config-problem.ts'
import { eachOf, type Rule } from '../config-view.ts'
import { isIpPrefix } from '../forms/address.ts'
import { asText, isSetAt, isTrueAt, listAt, numberAt, textAt, valueAt } from '../read-config.ts'
import { subnetFaults } from './machine-parts.ts'

/** Below it WireGuard carries no IPv6. */
const leastMtu = 1280

const mtuRule = `must be ${leastMtu} at least`

/** KubeSpan finds its peers by discovery. */
export const legacyKubeSpanHasWhatItNeeds: Rule = ({ machine, cluster }) => {
  const at = ['machine', 'network', 'kubespan']
  const kubespan = valueAt(machine, 'network', 'kubespan')
  if (!isTrueAt(kubespan, 'enabled')) return []
  const mtu = numberAt(kubespan, 'mtu')
  const hasDiscovery = isTrueAt(cluster, 'discovery', 'enabled')
  return [
    ...(mtu !== 0 && mtu < leastMtu ? [{ at: [...at, 'mtu'], message: mtuRule }] : []),
    ...(hasDiscovery
      ? []
      : [{ at: [...at, 'enabled'], message: 'needs cluster.discovery.enabled' }]),
    ...['id', 'secret']
      .filter((key) => textAt(cluster, key) === '')
      .map((key) => ({ at: ['cluster', key], message: 'is needed by KubeSpan' })),
    ...subnetFaults([...at, 'filters', 'endpoints'], listAt(kubespan, 'filters', 'endpoints')),
    ...excludedFaults([...at, 'filters'], listAt(kubespan, 'filters', 'excludeAdvertisedNetworks')),
  ]
}

function excludedFaults(at: ConfigPath, networks: ReturnType<typeof listAt>): Fault[] {
  return eachOf(networks, (each, index) =>
    isIpPrefix(asText(each) ?? '')
      ? undefined
      : {
          at: [...at, 'excludeAdvertisedNetworks', index],
          message: 'must be a range of addresses',
        },
  )
}

export const kubeSpanConfigIsSound: Rule = (document) => [
  ...(isSetAt(document, 'mtu') && numberAt(document, 'mtu') < leastMtu
    ? [{ at: ['mtu'], message: mtuRule }]
    : []),
  ...subnetFaults(['filters', 'endpoints'], listAt(document, 'filters', 'endpoints')),
]
