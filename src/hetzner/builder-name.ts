import type { Architecture } from '../spec/cluster-spec.ts'
import type { ClusterIdentity } from './ownership.ts'

/** Of the builder's server and key: one per architecture, so that a lost answer can be looked for. */
export function builderName({ clusterName }: ClusterIdentity, arch: Architecture): string {
  return `${clusterName}-image-${arch}`
}
