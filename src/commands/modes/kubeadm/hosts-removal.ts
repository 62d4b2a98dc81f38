import { ClusterHosts } from '../../../engine/kubeadm/cluster-hosts.ts'
import { removeHost } from '../../../engine/kubeadm/remove-host.ts'
import type { HostsView } from '../../../planner/kubeadm/hosts-view.ts'
import { planRemoval } from '../../../planner/kubeadm/plan-removal.ts'
import type { HostsSession } from '../../../run/kubeadm/hosts-session.ts'
import { observeHosts } from '../../../run/kubeadm/observe-hosts.ts'
import type { RecordedView, Removal } from '../../../run/mode/machine-provider.ts'
import type { RunContext } from '../../../run/run-context.ts'
import { StateRecorder } from '../../../run/state-recorder.ts'

/** Every host of a cluster as it is left behind: nobody deletes a machine that others own. */
export async function hostsRemoval(
  _context: RunContext,
  session: HostsSession,
  view: RecordedView<HostsView>,
): Promise<Removal> {
  const plan = planRemoval(view)
  const recorder = new StateRecorder(session.store, view.generation.inventory)
  const hosts = new ClusterHosts({ session, view, recorder })
  return {
    plan,
    kept: [],
    title: 'Reset hosts',
    kinds: ['host'],
    hint: 'Look at the hosts that are named, then run destroy again.',
    async requireRights() {},
    async release() {},
    remove: (change, step) => removeHost(change, { hosts, view, recorder }, step),
    async left() {
      const after = await observeHosts(session)
      const { generation } = after
      return generation ? planRemoval(after).changes : []
    },
  }
}
