import { carrySecrets, readCarried } from '../../../engine/carry-secrets.ts'
import { findAddons } from '../../../engine/find-addons.ts'
import { addonsOfHosts } from '../../../planner/kubeadm/addons-of-hosts.ts'
import type { HostsView } from '../../../planner/kubeadm/hosts-view.ts'
import { findLostHosts } from '../../../run/kubeadm/find-lost-hosts.ts'
import type { HostsSession } from '../../../run/kubeadm/hosts-session.ts'
import { reachInView } from '../../../run/kubeadm/reach-in-view.ts'
import type {
  ClusterRecovery,
  RecoveredParts,
  RecoverySource,
} from '../../../run/mode/cluster-recovery.ts'
import type { RunContext } from '../../../run/run-context.ts'
import { runPhase } from '../../../run/run-phase.ts'
import { withSecretVersions } from '../../../spec/secret-references.ts'

/** How long the Kubernetes API may take to answer, in milliseconds. */
const answerWithinMs = 2 * 60_000

/**
 * Out of a cluster on hosts: which it is from their marks, its nodes, roles and versions from the hosts and the cluster.
 * Its PKI was never in the state, so nothing but the way to the hosts is needed, which the file names.
 */
export const hostsRecovery: ClusterRecovery<HostsSession, HostsView> = {
  requireWayIn() {},
  find: findLostHosts,
  read: readState,
}

async function readState(
  context: RunContext,
  session: HostsSession,
  { lost, former }: RecoverySource<HostsView>,
): Promise<RecoveredParts> {
  const carried = await readCarried(context, session, former)
  const spec = withSecretVersions(session.spec, carried.versions)
  using reach = reachInView(session, lost.view)
  const addons = await runPhase(
    context.progress,
    'Look for addons',
    async (phase) => {
      const kubernetes = await reach.kubernetes(answerWithinMs, (reason) => phase.step(reason))
      return findAddons(context, { spec, uid: lost.uid, addonsOf: addonsOfHosts, kubernetes })
    },
    (found) => Object.keys(found).join(', ') || 'none',
  )
  return carrySecrets(context, { ...lost.inventory, addons }, carried)
}
