import type { ApiFirewall, FirewallTarget } from '../../api/firewalls.ts'
import type { HetznerClient } from '../../api/hetzner-client.ts'
import { tolerances, tolerate } from '../../apply/tolerate.ts'

/**
 * Takes a firewall off everything that it is applied to. Even a label selector that matches nothing
 * counts as use and keeps it from being deleted.
 */
export async function releaseFirewall(firewall: ApiFirewall, client: HetznerClient): Promise<void> {
  const targets = firewall.applied_to.flatMap(
    ({ type, server, label_selector }): FirewallTarget[] => {
      if (type === 'server' && server) return [{ type: 'server', server: { id: server.id } }]
      if (type === 'label_selector' && label_selector) {
        return [{ type: 'label_selector', label_selector: { selector: label_selector.selector } }]
      }
      return []
    },
  )
  // One by one: a server that has gone meanwhile must not keep the others on it.
  for (const target of targets) {
    await tolerate(client, tolerances.removeFirewall, async () => {
      const actions = await client.firewalls.remove(firewall.id, [target])
      await client.waitForActions(actions, { operation: 'release firewall', target: firewall.name })
    })
  }
}
