import type { JsonObject } from '../../lib/json.ts'
import type { ClusterNode } from '../../plan/cluster-node.ts'
import type { ConfigContext } from './config-input.ts'

/** Hetzner's private networks are tunnelled, and drop what is larger. */
const privateMtu = 1450

/**
 * Private DHCP may hand out a route to the metadata service through the private network, where nothing
 * answers it; a route of our own with a better metric, through Hetzner's public gateway, wins.
 */
const metadataRoute = {
  destination: '169.254.169.254/32',
  gateway: '172.31.1.1',
  metric: 512,
}

/** Hetzner's images boot with the kernel's own interface names: the public one first. */
function privateLink(node: ClusterNode): string {
  return node.publicIpv4 || node.publicIpv6 ? 'eth1' : 'eth0'
}

/** `machine.network`, for contracts before 1.12; later ones have documents. */
export function legacyNetworkSection(context: ConfigContext): JsonObject {
  const { spec, node, contract, vip } = context
  if (contract.networkDocuments) return contract.emptyNetwork ? { network: {} } : {}
  const { nameservers } = spec.talos
  const privateInterface = {
    interface: privateLink(node),
    dhcp: true,
    mtu: privateMtu,
    ...(vip && { vip: { ip: vip.address, hcloud: { apiToken: vip.token } } }),
  }
  const { destination: network, gateway, metric } = metadataRoute
  const publicInterface = { interface: 'eth0', dhcp: true, routes: [{ network, gateway, metric }] }
  return {
    network: {
      hostname: node.name,
      interfaces: [...(node.publicIpv4 ? [publicInterface] : []), privateInterface],
      ...(nameservers.length > 0 && { nameservers }),
    },
  }
}

/** The network documents of contracts since 1.12. */
export function networkDocuments(context: ConfigContext): JsonObject[] {
  const { spec, node, contract, vip } = context
  if (!contract.networkDocuments) return []
  const { nameservers, timeServers, registryMirrors } = spec.talos
  const link = privateLink(node)
  return [
    // The name that Kubernetes, the plan and Hetzner know the node by, whatever the metadata says.
    document('HostnameConfig', { auto: 'off', hostname: node.name }),
    ...(node.publicIpv4
      ? [
          document('LinkConfig', { name: 'eth0', routes: [metadataRoute] }),
          document('DHCPv4Config', { name: 'eth0' }),
        ]
      : []),
    document('LinkConfig', { name: link, mtu: privateMtu }),
    // A link document ends Talos's own DHCP on links that nobody configured, so it must be asked for.
    document('DHCPv4Config', { name: link }),
    ...(vip ? [document('HCloudVIPConfig', { name: vip.address, link, apiToken: vip.token })] : []),
    ...(nameservers.length > 0
      ? [
          document('ResolverConfig', {
            nameservers: nameservers.map((address) => ({ address })),
          }),
        ]
      : []),
    ...(timeServers.length > 0
      ? [document('TimeSyncConfig', { ntp: { servers: timeServers } })]
      : []),
    ...Object.entries(registryMirrors).map(([name, endpoints]) =>
      document('RegistryMirrorConfig', { name, endpoints: endpoints.map((url) => ({ url })) }),
    ),
  ]
}

function document(kind: string, fields: JsonObject): JsonObject {
  return { apiVersion: 'v1alpha1', kind, ...fields }
}
