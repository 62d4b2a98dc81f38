import type { ClusterNode } from '../plan/cluster-node.ts'
import type { ClusterSpec, NodePool } from '../spec/cluster-spec.ts'

/** The pool of a node: its server type and its locations are what Hetzner asks for. */
export function poolOf(
  { clusterName, controlPlane, workers }: ClusterSpec,
  { name, pool }: Pick<ClusterNode, 'name' | 'pool'>,
): NodePool {
  const found = [controlPlane, ...workers].find((one) => one.name === pool)
  if (!found) throw new Error(`${name} is of a pool that ${clusterName} does not have`)
  return found
}
