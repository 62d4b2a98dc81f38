import { ClusterService } from './gen/cluster/cluster_pb.js'
import type { CallOptions, TalosCaller } from './talos-caller.ts'

export interface HealthCheckNodes {
  /** Private addresses: the control plane that is asked reaches the others by them. */
  readonly controlPlanes: readonly string[]
  readonly workers: readonly string[]
}

/**
 * The cluster's health as a control plane judges it: yields `waiting for ...` lines while it waits,
 * and ends when everything is well. Throws `talos-refused` with the first check that failed in time.
 */
export async function* checkClusterHealth(
  client: TalosCaller,
  nodes: HealthCheckNodes,
  { waitSeconds }: { readonly waitSeconds: number },
  options?: CallOptions,
): AsyncGenerator<string, void, undefined> {
  const progress = client.stream(
    ClusterService.method.healthCheck,
    {
      waitTimeout: { seconds: BigInt(waitSeconds) },
      clusterInfo: {
        controlPlaneNodes: [...nodes.controlPlanes],
        workerNodes: [...nodes.workers],
      },
    },
    { timeoutMs: (waitSeconds + 15) * 1000, ...options },
  )
  for await (const { message } of progress) yield message
}
