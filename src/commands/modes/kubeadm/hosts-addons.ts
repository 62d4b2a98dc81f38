import { enabledAddons } from '../../../addons/catalogue.ts'
import { compareInstalled } from '../../../addons/compare-installed.ts'
import { createAddonCluster } from '../../../kubernetes/addon-cluster.ts'
import { addonsOfHosts } from '../../../planner/kubeadm/addons-of-hosts.ts'
import type { HostsView } from '../../../planner/kubeadm/hosts-view.ts'
import { addonRenderer } from '../../../run/addon-renderer.ts'
import type { HostsSession } from '../../../run/kubeadm/hosts-session.ts'
import { reachInView } from '../../../run/kubeadm/reach-in-view.ts'
import type { ClusterAddons } from '../../../run/mode/cluster-addons.ts'
import { givenSecrets, readKept } from '../../../run/named-secrets.ts'
import { renderForPeople } from '../../../run/render-for-people.ts'
import { runPhase } from '../../../run/run-phase.ts'

/** How long the Kubernetes API may take to answer, in milliseconds. */
const answerWithinMs = 60_000

/** The addons of a cluster on hosts: its API is asked through the SSH connections to its control planes. */
export const hostsAddons: ClusterAddons<HostsSession, HostsView> = {
  namesOf: (spec) => enabledAddons(spec, addonsOfHosts).map(({ name }) => name),
  render: (context, from, chosen) =>
    renderForPeople(context, from, { addonsOf: addonsOfHosts, chosen }),
  async compare(context, { session, view }, chosen) {
    const { uid, addons: recorded } = view.generation.inventory
    using reach = reachInView(session, view)
    return await runPhase(context.progress, 'Compare the objects of the addons', async (phase) => {
      const client = await reach.kubernetes(answerWithinMs, (reason) => phase.step(reason))
      const { clock, signal } = context
      const cluster = createAddonCluster(client, { clock, signal })
      const given = givenSecrets(context, session.spec)
      const renderer = addonRenderer(
        context,
        async () => new Map([...(await readKept(session.store)), ...given]),
      )
      const compared = { addonsOf: addonsOfHosts, cluster, renderer, recorded, chosen }
      return await compareInstalled(view.spec, { uid }, compared)
    })
  },
}
