import { cidrHost, parseCidr } from '../lib/cidr.ts'
import type { ClusterSpec } from '../spec/cluster-spec.ts'

/**
 * The fixed address of the cluster's load balancer in the private network: the last but one of its
 * range, which is the last that a host can have.
 */
export function loadBalancerPrivateIp(spec: ClusterSpec): string {
  const range = parseCidr(spec.network.loadBalancerRange)
  if (range === undefined) {
    throw new Error(`no CIDR range although the spec is valid: ${spec.network.loadBalancerRange}`)
  }
  return cidrHost(range, -2)
}

/**
 * The host under which nodes, and people with a kubeconfig, reach the Kubernetes API on port 6443;
 * undefined for a floating IP, whose address only Hetzner decides.
 */
export function knownEndpointHost(spec: ClusterSpec): string | undefined {
  switch (spec.endpoint.type) {
    case 'loadBalancer':
      return loadBalancerPrivateIp(spec)
    case 'dns':
      return spec.endpoint.name
    case 'vip':
      return spec.endpoint.address
    case 'floatingIp':
      return undefined
  }
}
