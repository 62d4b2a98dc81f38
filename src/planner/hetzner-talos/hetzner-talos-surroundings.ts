import type { AddonSurroundings } from '../../addons/addon-surroundings.ts'
import { cidrContains, parseCidr } from '../../lib/cidr.ts'
import type { ClusterSpec, NodePool, Taint } from '../../spec/cluster-spec.ts'
import { kubePrismPort } from '../../talos/config/machine-section.ts'

/** What addons find on nodes of Talos in Hetzner Cloud. */
export function hetznerTalosSurroundings(spec: ClusterSpec): AddonSurroundings {
  const { clusterName, network, controlPlane, workers, loadBalancer } = spec
  return {
    // Talos serves the Kubernetes API on every node, whatever the state of the network.
    apiServer: { host: '127.0.0.1', port: kubePrismPort },
    controlPlanes: controlPlane.count,
    taints: {
      controlPlanes: taintsOf([controlPlane]),
      allNodes: taintsOf([controlPlane, ...workers]),
    },
    servingCertificates: {
      nodeNames: `^${clusterName}-[a-z0-9-]+$`,
      addressRanges: addressRanges(spec),
    },
    // Hetzner's network routes pod addresses (the cloud controller manager keeps a route per node), and carries 1450.
    podNetwork: { type: 'native', range: nativeRange(network), mtu: 1450 },
    // Cgroups are mounted already, and Talos refuses the capability to load kernel modules.
    operatingSystem: { cgroupRoot: '/sys/fs/cgroup', allowsModules: false },
    acceleratesServices: true,
    loadBalancers: { location: loadBalancer.location, privateRange: network.loadBalancerRange },
  }
}

function taintsOf(pools: readonly NodePool[]): Taint[] {
  return pools.flatMap(({ taints, patchedTaints = [] }) => [...taints, ...patchedTaints])
}

/**
 * Ranges in which every address of a request must lie. A kubelet asks for all addresses of its node,
 * and once the cloud controller manager is there the public one is among them; which one, only
 * Hetzner knows, so clusters with public addresses admit all of that family.
 */
function addressRanges({ controlPlane, workers, network }: ClusterSpec): string[] {
  const pools = [controlPlane, ...workers]
  return [
    pools.some((pool) => pool.publicIpv4) ? '0.0.0.0/0' : network.nodeRange,
    ...(pools.some((pool) => pool.publicIpv6) ? ['::/0'] : []),
  ]
}

/** The whole network, where the pods' range lies in it. */
function nativeRange({ cidr, podRange }: ClusterSpec['network']): string {
  const network = parseCidr(cidr)
  const pods = parseCidr(podRange)
  return network && pods && cidrContains(network, pods) ? cidr : podRange
}
