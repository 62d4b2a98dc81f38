import type { World } from '../../world.ts'
import { parseSelector } from '../label-selector.ts'
import type { Labels } from '../labels.ts'
import type { ServerRecord } from './server.ts'

/**
 * The servers that a label selector of a firewall or load balancer has found by now. `since` is when
 * it was set; it needs `faults.selectorLagMs` to see it, new servers and changed labels.
 */
export function serversOfSelector(world: World, selector: string, since: number): ServerRecord[] {
  const noticedUntil = world.clock.now() - world.faults.selectorLagMs
  const matches = parseSelector(selector)
  if (matches === undefined || since > noticedUntil) return []
  return [...world.hetzner.servers.values()].filter((server) => {
    const labels = noticedLabels(server, noticedUntil)
    return labels !== undefined && matches(labels)
  })
}

function noticedLabels(server: ServerRecord, noticedUntil: number): Labels | undefined {
  if (server.labelsChangedAt <= noticedUntil) return server.labels
  return server.created <= noticedUntil ? server.previousLabels : undefined
}
