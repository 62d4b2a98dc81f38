import type { ApiFirewall } from '../../api/firewalls.ts'
import { listComplete } from '../../list-complete.ts'
import type { HetznerKind } from '../hetzner-kind.ts'
import { plainComparison, plainDestruction, plainDrift } from '../kind-defaults.ts'
import { applyFirewall } from './apply-firewall.ts'
import { desireFirewall, firewallRules, liveFirewall } from './firewall-record.ts'

export const firewallKind: HetznerKind<ApiFirewall> = {
  name: 'firewall',
  observe: {
    observedIn: 'each-run',
    isRecorded: true,
    list: ({ firewalls }, { known }) => listComplete('firewall', firewalls, known),
    nameOf: (_firewall, { clusterName }) => clusterName,
    isOfControllers: () => false,
    live: liveFirewall,
  },
  desire: ({ spec, identity }) => [desireFirewall(spec, identity)],
  compare: { ...plainComparison, rules: firewallRules, drift: plainDrift },
  apply: applyFirewall,
  destroy: {
    ...plainDestruction,
    guests: {
      // Hetzner takes a firewall that is deleted off whoever has it.
      usedBy: ({ public_net }) => (public_net.firewalls ?? []).map(({ id }) => id),
      harm: (id) => `would be open without the cluster's firewall (id ${id})`,
      remedy: 'Give it a firewall of its own in the Hetzner console, take this one off it',
    },
  },
  phase: 'resources',
}
