import { z } from 'zod'
import type { World } from '../../world.ts'
import { ApiError, invalidFields, refused } from '../api/api-error.ts'
import * as fields from '../api/fields.ts'
import { parseSelector } from '../label-selector.ts'
import type { FirewallRecord, FirewallUse } from './firewall.ts'
import { serversOfUse } from './firewalls-of-server.ts'

const maxFirewallsPerServer = 5

export const usesBody = z.array(
  z.strictObject({
    type: z.enum(['server', 'label_selector']),
    server: z.strictObject({ id: fields.id }).optional(),
    label_selector: z.strictObject({ selector: fields.selector }).optional(),
  }),
)

export type UsesBody = z.infer<typeof usesBody>

/** Reads what a firewall is to be applied to; 404 and 422 as Hetzner answers. */
export function readUses(world: World, body: UsesBody): FirewallUse[] {
  const since = world.clock.now()
  return body.map((use) => {
    if (use.type === 'server') return { type: 'server', server: readServer(world, use), since }
    const selector = use.label_selector?.selector
    if (selector === undefined || parseSelector(selector) === undefined) {
      throw invalidFields(['label_selector'])
    }
    return { type: 'label_selector', selector, since }
  })
}

/** 422 where an application exists already, or the server cannot have it. */
export function ensureApplicable(
  world: World,
  firewall: FirewallRecord,
  uses: readonly FirewallUse[],
): void {
  for (const use of uses) {
    if (firewall.uses.some((other) => isSameUse(other, use))) {
      throw refused('firewall_already_applied', 'firewall was already applied to resource')
    }
    if (use.type !== 'server') continue
    const server = world.hetzner.servers.get(use.server)
    if (server !== undefined && server.ipv4 === null && server.ipv6 === null) {
      throw refused(
        'private_net_only_server',
        `server with ID ${use.server} has no public interface`,
      )
    }
    const direct = [...world.hetzner.firewalls.values()].filter((other) =>
      other.uses.some((used) => used.type === 'server' && used.server === use.server),
    )
    if (direct.length >= maxFirewallsPerServer) {
      throw new ApiError(403, 'resource_limit_exceeded', 'firewall limit exceeded')
    }
  }
}

export function isSameUse(a: FirewallUse, b: FirewallUse): boolean {
  if (a.type === 'server') return b.type === 'server' && a.server === b.server
  return b.type === 'label_selector' && a.selector === b.selector
}

export function renderUse(world: World, use: FirewallUse): Record<string, unknown> {
  if (use.type === 'server') return { type: 'server', server: { id: use.server } }
  return {
    type: 'label_selector',
    label_selector: { selector: use.selector },
    applied_to_resources: serversOfUse(world, use).map((id) => ({
      type: 'server',
      server: { id },
    })),
  }
}

function readServer(world: World, use: UsesBody[number]): number {
  const id = use.server?.id
  if (id === undefined) throw invalidFields(['server'])
  if (!world.hetzner.servers.has(id)) {
    throw new ApiError(404, 'firewall_resource_not_found', `server with ID '${id}' not found`)
  }
  return id
}
