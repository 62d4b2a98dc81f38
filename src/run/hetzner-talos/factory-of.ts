import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import type { Endpoints } from '../run-context.ts'

/** Base URL of the image factory that a run asks: the file's, or what stands in for it. */
export function factoryOf({ factory }: Endpoints, talos: ClusterSpec['talos']): string {
  return factory ?? talos.factory
}
