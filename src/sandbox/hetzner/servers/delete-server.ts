import type { World } from '../../world.ts'
import { firewallsOfServer } from '../firewalls/firewalls-of-server.ts'
import type { ServerRecord } from './server.ts'

/**
 * Takes a server out of the world: its machine is cut off, what was attached is set free, primary IPs
 * that came with it are deleted. Firewalls and its placement group notice after `releaseLagMs`.
 */
export async function deleteServer(world: World, server: ServerRecord): Promise<void> {
  const { hetzner } = world
  const firewalls = firewallsOfServer(world, server.id).map((firewall) => firewall.id)
  const machine = world.machines.get(server.id)
  await machine?.powerOff()
  world.machines.delete(server.id)
  hetzner.servers.delete(server.id)
  hetzner.departed = hetzner.departed.filter((gone) => gone.until > hetzner.now())
  if (world.faults.releaseLagMs > 0) {
    const until = hetzner.now() + world.faults.releaseLagMs
    const { id, placementGroup } = server
    hetzner.departed.push({ id, firewalls, placementGroup, until })
  }
  for (const firewall of hetzner.firewalls.values()) {
    firewall.uses = firewall.uses.filter((use) => use.type !== 'server' || use.server !== server.id)
  }
  for (const balancer of hetzner.loadBalancers.values()) {
    balancer.targets = balancer.targets.filter(
      (target) => target.type !== 'server' || target.server !== server.id,
    )
  }
  for (const attached of [...hetzner.volumes.values(), ...hetzner.floatingIps.values()]) {
    if (attached.server === server.id) attached.server = null
  }
  releasePrimaryIps(world, server)
}

function releasePrimaryIps(world: World, server: ServerRecord): void {
  for (const ip of world.hetzner.primaryIps.values()) {
    if (ip.assignee !== server.id || ip.assigneeType !== 'server') continue
    ip.assignee = null
    if (!ip.autoDelete) continue
    world.hetzner.primaryIps.delete(ip.id)
    if (ip.type === 'ipv4') world.addresses.release(ip.ip)
  }
}
