import { status } from '@grpc/grpc-js'
import type { TalosNode } from '../talos-node.ts'
import { RpcError } from './rpc.ts'

/** Throws RpcError in the words of a node that is no control plane one, or not configured yet. */
export function requireControlPlane(node: TalosNode, what: string): void {
  if (node.config === undefined) {
    const problem = `machine type is not set, cannot use ${what} API`
    throw new RpcError(status.UNIMPLEMENTED, problem)
  }
  if (!node.config.controlPlane) {
    const problem = `${what} is only available on control plane nodes`
    throw new RpcError(status.UNIMPLEMENTED, problem)
  }
}
