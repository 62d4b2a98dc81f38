import {
  mintFormerCredentials,
  proveFormerShut,
} from '../../../engine/hetzner-talos/prove-former-shut.ts'
import { replaceTalosAuthority } from '../../../engine/hetzner-talos/replace-talos-authority.ts'
import type { ClusterView } from '../../../planner/hetzner-talos/cluster-view.ts'
import { compareCluster } from '../../../planner/hetzner-talos/compare-cluster.ts'
import { ClusterReach } from '../../../run/hetzner-talos/cluster-reach.ts'
import type { ClusterSession } from '../../../run/hetzner-talos/cluster-session.ts'
import { openTemporaryRule } from '../../../run/hetzner-talos/temporary-rule.ts'
import type { ClusterKeys } from '../../../run/mode/cluster-keys.ts'
import { stillValid } from './what-stays-valid.ts'

/** The CA of the Talos API, and with it every talosconfig: the only one that a running cluster lets go of. */
export const talosKeys: ClusterKeys<ClusterSession, ClusterView> = {
  // Whom the state is for is handed over before.
  pendingChange: (view) =>
    compareCluster(view).changes.find(({ after }) => after?.kind !== 'secrets'),
  holders: ({ nodes, generation }) => {
    const configured = new Set(
      generation?.inventory.nodes
        .filter(({ configDigest }) => configDigest !== undefined)
        .map(({ name }) => name),
    )
    return nodes.filter(({ name }) => configured.has(name))
  },
  async replace(context, session, { view, nodes }) {
    await using _rule = await openTemporaryRule(context, view, session, {})
    using reach = new ClusterReach(context, session.store, view)
    const former = await mintFormerCredentials(context, await reach.secrets())
    const input = { context, session, view, nodes }
    await replaceTalosAuthority(input)
    if (!former) return false
    await proveFormerShut(input, former)
    return true
  },
  words: {
    replaced: 'CA of the Talos API',
    madeVoid: 'Every talosconfig that was minted',
    tried: 'a certificate of the former CA',
    untried:
      'The former CA was not tried on the nodes: an earlier run of this revocation had deleted its key already. Their configs name the new CA alone.',
    stillValid,
  },
}
