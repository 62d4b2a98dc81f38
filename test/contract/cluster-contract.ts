import type { CommandBench } from '../cli/command-bench.ts'
import { kubernetesContract } from './kubernetes-contract.ts'
import { nodeContract } from './node-contract.ts'

/** A running cluster named demo, of one control plane and one worker. */
export interface ContractCluster {
  readonly bench: CommandBench
  readonly controlPlane: string
  readonly worker: string
}

/**
 * What holds for simulated and for real nodes alike, in the words of their own protocols: everything here is
 * asserted of both. Where one of them differs, the simulation is fixed.
 */
export function clusterContract(cluster: () => ContractCluster): void {
  nodeContract(cluster)
  kubernetesContract(cluster)
}
