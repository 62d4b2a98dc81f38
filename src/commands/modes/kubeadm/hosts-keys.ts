import type { HostsView } from '../../../planner/kubeadm/hosts-view.ts'
import type { HostsSession } from '../../../run/kubeadm/hosts-session.ts'
import type { ClusterKeys, StillValid } from '../../../run/mode/cluster-keys.ts'

/**
 * What whoever could read the state still holds after a revocation: it never had keys of the cluster, so that none are
 * taken back on any node.
 */
const stillValid: readonly StillValid[] = [
  {
    what: 'secrets that the cluster file refers to by name',
    means:
      'whatever each of them opens, among them passphrases of SSH keys and passwords of sudo where the file names those so',
    remedy:
      'Renew each where it is from, and give it to `hcloud-talos secret set`; `hcloud-talos secret list` names them.',
  },
  {
    what: 'addresses, users and host keys of the hosts',
    means: 'show where the cluster is and how it is logged in to, and let nobody in',
    remedy: 'Keep port 22 of the hosts closed to others than those who need it.',
  },
  {
    what: 'kubeconfigs that were minted',
    means: 'are good until they expire, and were never in the state',
    remedy:
      'Wait for that; where one was lost, delete the ClusterRoleBinding kubeadm:cluster-admins, which all of them and admin.conf on the control planes have their rights from.',
  },
  {
    what: "git's history",
    means:
      'every former generation of the state stays readable for the former identity, in each clone',
    remedy:
      'Take it off the branch with `hcloud-talos compact`; clones and what GitHub keeps by commit id are beyond anybody.',
  },
]

/** The state of a cluster on hosts holds no key of the cluster: authorities, tokens and kubeconfigs are on its control planes alone. */
export const hostsKeys: ClusterKeys<HostsSession, HostsView> = {
  // No node is touched, so that nothing comes along with it.
  pendingChange: () => undefined,
  holders: () => [],
  replace: async () => false,
  words: {
    replaced: undefined,
    madeVoid: undefined,
    tried: 'a former key',
    untried: 'No key of the cluster is in the state, so there was none to try on the nodes.',
    stillValid,
  },
}
