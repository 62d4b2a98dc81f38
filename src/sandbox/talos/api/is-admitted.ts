import type { Socket } from 'node:net'
import type { TalosNode } from '../talos-node.ts'
import { talosPort } from './talos-port.ts'

/** How long a client's system goes on asking for a connection that a firewall swallows. */
const patienceMs = 127_000
const repeatMs = 1_000

/**
 * Whether the firewalls let this connection in. One that they do not lies silent, as its packets are
 * dropped, and comes through when they are opened while its client still tries; false when it never
 * does, or when the world is cut.
 */
export async function isAdmitted(node: TalosNode, socket: Socket): Promise<boolean> {
  const { world, machine, signal } = node
  const source = socket.remoteAddress ?? ''
  const deadline = world.clock.now() + patienceMs
  while (!world.log.isCut && !socket.destroyed && world.clock.now() < deadline) {
    if (world.admits(machine, 'tcp', talosPort, source)) return true
    await world.clock.sleep(repeatMs, signal)
  }
  return false
}
