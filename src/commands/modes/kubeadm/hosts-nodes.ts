import type { HostsView } from '../../../planner/kubeadm/hosts-view.ts'
import { driftedAddons } from '../../../run/drifted-addons.ts'
import { askHostAddons, leaveUnapprovedAddons } from '../../../run/kubeadm/ask-host-addons.ts'
import type { HostsSession } from '../../../run/kubeadm/hosts-session.ts'
import type { NodeLayer } from '../../../run/mode/node-layer.ts'

/**
 * Hosts are reached as they were looked at: no way in has to be opened, nor closed behind the run. What they run was seen
 * with them; what is left to ask are the objects of addons.
 */
export const hostsNodes: NodeLayer<HostsSession, HostsView> = {
  inspect: askHostAddons,
  access: (context, session) => ({
    async open() {},
    inspect: (view, asking) => askHostAddons(context, session, view, asking),
    async [Symbol.asyncDispose]() {},
  }),
  async closeLeftOpen() {},
  async closeOwn() {},
  keepInspected: (view, { addons }) => ({ ...view, addons }),
  leaveUnapproved: leaveUnapprovedAddons,
  driftedNames: ({ addons }) => driftedAddons(addons),
  checkPlan: async (_context, _session, plan) => plan,
}
