import type { HostsView } from '../../../planner/kubeadm/hosts-view.ts'
import type { HostsSession } from '../../../run/kubeadm/hosts-session.ts'
import type { NodeLayer } from '../../../run/mode/node-layer.ts'

/** Hosts are reached as they were looked at: no way in has to be opened, nor closed behind the run. */
export const hostsNodes: NodeLayer<HostsSession, HostsView> = {
  inspect: async (_context, _session, view) => view,
  access: () => ({
    async open() {},
    inspect: async (view) => view,
    async [Symbol.asyncDispose]() {},
  }),
  async closeLeftOpen() {},
  async closeOwn() {},
  keepInspected: (view, { addons }) => ({ ...view, addons }),
  leaveUnapproved: (_context, view) => view,
  driftedNames: () => [],
  checkPlan: async (_context, _session, plan) => plan,
}
