import type { Architecture } from '../spec/cluster-spec.ts'
import type { ClusterIdentity } from './ownership.ts'

/** Whether a server of this name built images, ours or another cluster's. */
export function isBuilderName(name: string, arch: Architecture): boolean {
  return name.endsWith(`-image-${arch}`)
}

/** Of the builder's server and key: one per architecture, so that a lost answer can be looked for. */
export function builderName({ clusterName }: ClusterIdentity, arch: Architecture): string {
  return `${clusterName}-image-${arch}`
}
