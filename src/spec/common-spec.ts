import type { ClusterSpec } from './cluster-spec.ts'
import type { HostSpec } from './hosts/hosts-spec.ts'

/**
 * A spec of any mode: what every mode has, and as optional what one alone says. Code that takes this needs no mode; a
 * `ClusterSpec` is one, and a `HostsSpec`.
 */
export interface CommonSpec
  extends Pick<
      ClusterSpec,
      'clusterName' | 'kubernetes' | 'cni' | 'addons' | 'state' | 'upgrade' | 'secretVersions'
    >,
    Partial<
      Pick<
        ClusterSpec,
        'hetzner' | 'talos' | 'firewall' | 'loadBalancer' | 'endpoint' | 'controlPlane' | 'workers'
      >
    > {
  /** Hosts that exist. */
  readonly hosts?: readonly HostSpec[] | undefined
  readonly network: Pick<ClusterSpec['network'], 'podRange' | 'serviceRange' | 'dnsDomain'>
  readonly policy: Pick<
    ClusterSpec['policy'],
    'unknownVersions' | 'unapproved' | 'onNodeConfigDrift' | 'onAddonDrift'
  >
}
