import type { World } from '../../world.ts'
import type { ServerRecord } from './server.ts'

/** Lets the hardware see what the API changed on its server: name and addresses. */
export function synchronizeMachine(world: World, server: ServerRecord): void {
  const machine = world.machines.get(server.id)
  if (machine === undefined) return
  machine.name = server.name
  machine.publicIp =
    server.ipv4 === null ? undefined : world.hetzner.primaryIps.get(server.ipv4)?.ip
  machine.privateIps = server.privateNets.map((net) => net.ip)
}
