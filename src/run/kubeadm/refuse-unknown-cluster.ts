import { ClusterError } from '../../lib/cluster-error.ts'
import type { HostLook } from '../../planner/kubeadm/hosts-view.ts'
import type { HostsSpec } from '../../spec/hosts/hosts-spec.ts'
import { lostState } from '../cluster-unknown.ts'

/** Throws `state-missing` where a host is marked as one of a cluster of this name, which the branch does not know. */
export function refuseUnknownCluster(
  { clusterName, state: { branch } }: HostsSpec,
  looks: ReadonlyMap<string, HostLook>,
): void {
  const marked = [...looks.values()].flatMap((look) =>
    look.kind === 'seen' && look.host.mark?.cluster === clusterName ? [look.host.name] : [],
  )
  const [first] = marked
  if (first === undefined) return
  throw new ClusterError(
    'state-missing',
    `${marked.length === 1 ? `${first} is a host` : `${first} and ${marked.length - 1} more are hosts`} of a cluster ${clusterName}, and the branch ${branch} knows nothing of it`,
    {
      operation: 'read the state of',
      target: clusterName,
      hint: lostState(clusterName, branch),
    },
  )
}
