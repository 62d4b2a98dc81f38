import type { NodeStatus } from '../../planner/cluster-status.ts'
import type { KnownCluster } from '../../planner/known-cluster.ts'

/** What a look at a cluster shows of it, in the words of every mode. Pure. */
export interface ClusterDescription<V extends KnownCluster> {
  /** Where the Kubernetes API is reached, `https://…:6443`; undefined where that is not decided yet. */
  endpoint(view: V): string | undefined
  /** The nodes that the file asks for, and those that the state still knows. */
  nodes(view: V): readonly NodeStatus[]
}
