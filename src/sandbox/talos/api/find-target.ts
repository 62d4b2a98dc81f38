import { status } from '@grpc/grpc-js'
import type { TalosNode } from '../talos-node.ts'
import { RpcError } from './rpc.ts'
import { talosPort } from './talos-port.ts'

/**
 * The node that a control plane node forwards a call to, by its plain address. Workers forward
 * nothing. Throws RpcError where it must not, or cannot be reached.
 */
export function findTarget(from: TalosNode, address: string): TalosNode {
  if (from.addresses.includes(address)) return from
  if (!from.config?.controlPlane) {
    throw new RpcError(status.PERMISSION_DENIED, 'no request forwarding')
  }
  const { cluster } = from
  const target = cluster && from.state.nodeAt(address, cluster)
  const source = from.machine.publicIp ?? ''
  const isPublic = target?.machine.publicIp === address
  // The private network is filtered by no firewall of Hetzner's, the public side is.
  const admitted = !isPublic || from.world.admits(target.machine, 'tcp', talosPort, source)
  if (target === undefined || !admitted || !target.api.listening) {
    throw new RpcError(
      status.UNAVAILABLE,
      `connection error: desc = "transport: Error while dialing: dial tcp ${address}:${talosPort}: i/o timeout"`,
    )
  }
  if (target.cluster !== cluster) {
    throw new RpcError(
      status.UNAVAILABLE,
      'connection error: desc = "transport: authentication handshake failed: tls: failed to verify certificate: x509: certificate signed by unknown authority"',
    )
  }
  return target
}
