import type { TalosNode } from './talos-node.ts'

/** What the hcloud platform tells a node about itself, from Hetzner's metadata service. */
export function platformMetadata({ machine }: TalosNode): Record<string, unknown> {
  return {
    platform: 'hcloud',
    hostname: machine.name,
    region: machine.location,
    zone: `${machine.location}-dc1`,
    instanceId: String(machine.serverId),
    providerId: `hcloud://${machine.serverId}`,
  }
}
