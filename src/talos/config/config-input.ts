import { ClusterError } from '../../lib/cluster-error.ts'
import { knownEndpointHost, loadBalancerPrivateIp } from '../../plan/cluster-endpoint.ts'
import type { ClusterNode } from '../../plan/cluster-node.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import type { NamedSecrets } from '../../spec/secret-reference.ts'
import type { SecretsBundle } from './secrets-bundle.ts'
import { contractOfSpec, type VersionContract } from './version-contract.ts'

/** Addresses that only Hetzner decides. */
export interface DecidedAddresses {
  /** The cluster's floating IP: required when that is the endpoint. */
  readonly floatingIp?: string | undefined
  /** The load balancer's public address, where it has one. */
  readonly loadBalancerPublicIp?: string | undefined
}

export interface MachineConfigInput {
  readonly spec: ClusterSpec
  readonly node: ClusterNode
  readonly secrets: SecretsBundle
  /**
   * What its references to named secrets are filled with, or that they stay, in what is kept or shown. A config is
   * never handed over with one: without values a reference is refused.
   */
  readonly named?: NamedSecrets | 'as references' | undefined
  readonly addresses?: DecidedAddresses
  /** A token with which control planes move the cluster's own address; needed for `vip` alone. */
  readonly vipToken?: string | undefined
}

/** What all parts of a machine config are made from. */
export interface ConfigContext {
  readonly spec: ClusterSpec
  readonly node: ClusterNode
  readonly secrets: SecretsBundle
  readonly contract: VersionContract
  readonly controlPlane: boolean
  readonly endpointHost: string
  /** Names and addresses, besides a node's own, under which people reach the APIs. */
  readonly certSans: readonly string[]
  readonly vip: { readonly address: string; readonly token: string } | undefined
}

export function configContext(input: MachineConfigInput): ConfigContext {
  const { spec, node, secrets, addresses = {} } = input
  const endpointHost = knownEndpointHost(spec) ?? addresses.floatingIp
  if (endpointHost === undefined) {
    throw new Error('the endpoint is a floating IP, and its address was not passed')
  }
  const sans = [
    endpointHost,
    ...(spec.endpoint.type === 'loadBalancer' || spec.endpoint.type === 'dns'
      ? [loadBalancerPrivateIp(spec)]
      : []),
    addresses.loadBalancerPublicIp,
    '127.0.0.1',
    ...spec.kubernetes.certSans,
  ]
  return {
    spec,
    node,
    secrets,
    contract: contractOfSpec(spec),
    controlPlane: node.role === 'control-plane',
    endpointHost,
    certSans: [...new Set(sans.filter((san) => san !== undefined))],
    vip: vipOf(input),
  }
}

/** Hetzner's private networks know no ARP: an address moves only by Hetzner's API, hence the token. */
function vipOf({ spec, node, vipToken }: MachineConfigInput): ConfigContext['vip'] {
  if (spec.endpoint.type !== 'vip' || node.role !== 'control-plane') return undefined
  if (vipToken === undefined) {
    throw new ClusterError('token-missing', 'a private VIP needs a token that the nodes may use', {
      operation: 'generate a machine config',
      hint: 'Set HCLOUD_TOKEN, or take the load balancer as the endpoint.',
    })
  }
  return { address: spec.endpoint.address, token: vipToken }
}
