import type { ClusterSpec } from './cluster-spec.ts'

/**
 * A spec of any mode: what only one mode says may be absent. Code that takes this needs neither Hetzner nor Talos; a
 * `ClusterSpec` is one.
 */
export type CommonSpec = Omit<ClusterSpec, 'hetzner' | 'talos'> &
  Partial<Pick<ClusterSpec, 'hetzner' | 'talos'>>
