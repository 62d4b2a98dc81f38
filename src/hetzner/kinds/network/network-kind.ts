import { type NamedNetwork, nameLentNetwork } from '../../lent-network.ts'
import { listComplete } from '../../list-complete.ts'
import type { HetznerKind } from '../hetzner-kind.ts'
import { plainComparison, plainDestruction, plainDrift } from '../kind-defaults.ts'
import { applyNetwork } from './apply-network.ts'
import { desireNetwork, liveNetwork, networkRules, withoutExtraSubnets } from './network-record.ts'

export const networkKind: HetznerKind<NamedNetwork> = {
  name: 'network',
  observe: {
    observedIn: 'each-run',
    isRecorded: true,
    list: async ({ networks }, { known, network }) => {
      const lent = known?.lentNetwork
      const all = await listComplete('network', networks, known, lent ? [lent.id] : [])
      return nameLentNetwork(all, lent, network)
    },
    nameOf: (_network, { clusterName }) => clusterName,
    isOfControllers: () => false,
    live: liveNetwork,
  },
  desire: ({ spec, identity }) => desireNetwork(spec, identity),
  compare: {
    ...plainComparison,
    rules: networkRules,
    compared: withoutExtraSubnets,
    drift: { ...plainDrift, neverRestored: ['ipRange'] },
  },
  apply: applyNetwork,
  destroy: {
    ...plainDestruction,
    isKept: ({ network }) => network === 'keep',
    risk: 'data-loss',
    describeKept: ({ records }, { network }) =>
      network === 'delete'
        ? []
        : records
            .filter(({ kind }) => kind === 'network')
            .map(({ name }) => ({
              severity: 'warning',
              path: ['policy', 'onDestroyNetwork'],
              message: `the network ${name} stays`,
              hint: 'Delete it yourself, or rename it before you create another cluster of this name.',
            })),
  },
  phase: 'resources',
}
