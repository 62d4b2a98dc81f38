import { compareHosts } from '../../../planner/kubeadm/compare-hosts.ts'
import type { HostsView } from '../../../planner/kubeadm/hosts-view.ts'
import {
  anchorOnHosts,
  askHostAnchor,
  refuseLostHosts,
} from '../../../run/kubeadm/ask-host-anchor.ts'
import { anchorInMarks, writeMarks } from '../../../run/kubeadm/cluster-marks.ts'
import type { HostsSession } from '../../../run/kubeadm/hosts-session.ts'
import { knownHosts } from '../../../run/kubeadm/known-hosts.ts'
import { missingSshAccess } from '../../../run/kubeadm/missing-ssh-access.ts'
import { lookAtHosts, observeHosts } from '../../../run/kubeadm/observe-hosts.ts'
import { refuseOtherHosts } from '../../../run/kubeadm/refuse-unknown-cluster.ts'
import type { MachineProvider } from '../../../run/mode/machine-provider.ts'
import { hostsRemoval } from './hosts-removal.ts'

/** Hosts that exist: nobody makes them, and they themselves remember of which cluster they are. */
export const hostsProvider: MachineProvider<HostsSession, HostsView> = {
  // One name for many: what people read has it as one that remembers.
  name: 'the group of hosts',
  // Whoever has the file has what it names to log in with, or is told at the first host.
  unasked: { message: 'no host can be asked', fix: 'give the SSH key that the cluster file names' },
  canAsk: () => true,
  missingAccess: missingSshAccess,
  observe: observeHosts,
  recordsOf: (view) => compareHosts(view).live,
  recordLent: (inventory) => inventory,
  requestsOf: ({ hosts }) => hosts.requests,
  async requireWrite() {
    // Each look runs as root already: who can look can change.
  },
  // The clocks of hosts are compared in the plan, each with ours.
  requireClock() {},
  async requireRights() {},
  async anchor(session, view) {
    const { manifest } = session.store.known ?? {}
    if (manifest) await writeMarks(session, view, manifest)
  },
  anchorGeneration: anchorOnHosts,
  anchorOf: anchorInMarks,
  askAnchor: askHostAnchor,
  refuseLost: refuseLostHosts,
  async findStateOf(session, base) {
    const hosts = await lookAtHosts(
      session,
      knownHosts(session.spec, base.inventory),
      base.inventory,
    )
    const view = { hosts, generation: base }
    return {
      anchor: anchorInMarks(view),
      isThere: [...hosts.values()].some(
        (look) =>
          look.kind === 'seen' &&
          look.host.mark?.uid === base.manifest.uid &&
          !look.host.mark.hasLeft,
      ),
      refuseOther: () => refuseOtherHosts(base, hosts),
      remember: (manifest) => writeMarks(session, view, manifest),
    }
  },
  async removeRemains() {},
  findRemoval: hostsRemoval,
}
