import { enabledAddons } from '../../../addons/catalogue.ts'
import { compareInstalled } from '../../../addons/compare-installed.ts'
import { createAddonCluster } from '../../../kubernetes/addon-cluster.ts'
import { addonsOf } from '../../../planner/hetzner-talos/addons-of.ts'
import type { ClusterView } from '../../../planner/hetzner-talos/cluster-view.ts'
import { addonRenderer } from '../../../run/addon-renderer.ts'
import { ClusterReach } from '../../../run/hetzner-talos/cluster-reach.ts'
import type { ClusterSession } from '../../../run/hetzner-talos/cluster-session.ts'
import { openTemporaryRule } from '../../../run/hetzner-talos/temporary-rule.ts'
import type { ClusterAddons } from '../../../run/mode/cluster-addons.ts'
import { givenSecrets } from '../../../run/named-secrets.ts'
import { renderForPeople } from '../../../run/render-for-people.ts'
import { runPhase } from '../../../run/run-phase.ts'

/** How long the Kubernetes API may take to answer, in milliseconds. */
const answerWithinMs = 60_000

/** The addons of Talos on Hetzner: the Kubernetes API is dialled at its control planes. */
export const talosAddons: ClusterAddons<ClusterSession, ClusterView> = {
  namesOf: (spec) => enabledAddons(spec, addonsOf).map(({ name }) => name),
  render: (context, from, chosen) => renderForPeople(context, from, { addonsOf, chosen }),
  async compare(context, { session, view }, chosen) {
    const { uid, addons: recorded } = view.generation.inventory
    using reach = new ClusterReach(context, session.store, view)
    await reach.secrets()
    await using _rule = await openTemporaryRule(context, view, session, {})
    return await runPhase(context.progress, 'Compare the objects of the addons', async (phase) => {
      const client = await reach.kubernetes(answerWithinMs, phase)
      const { clock, signal } = context
      const cluster = createAddonCluster(client, { clock, signal })
      const given = givenSecrets(context, session.spec)
      const renderer = addonRenderer(
        context,
        async () => new Map([...(await reach.namedSecrets()), ...given]),
      )
      const compared = { addonsOf, cluster, renderer, recorded, chosen }
      return await compareInstalled(view.spec, { uid }, compared)
    })
  },
}
