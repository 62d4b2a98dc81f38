import { ClusterError } from '../../lib/cluster-error.ts'
import type { HostLook } from '../../planner/kubeadm/hosts-view.ts'
import type { HostsSpec } from '../../spec/hosts/hosts-spec.ts'
import type { Generation } from '../../store/generation.ts'
import { stateDamage } from '../../store/trust/state-damage.ts'
import { lostState } from '../cluster-unknown.ts'

/** Throws `state-missing` where a host is marked as one of a cluster of this name, which the branch does not know. */
export function refuseUnknownCluster(spec: HostsSpec, looks: ReadonlyMap<string, HostLook>): void {
  const marked = [...looks.values()].flatMap((look) =>
    look.kind === 'seen' && look.host.mark?.cluster === spec.clusterName && !look.host.mark.hasLeft
      ? [look.host.name]
      : [],
  )
  refuseMarkedHosts(spec, marked)
}

/** The same for hosts whose marks were read already. */
export function refuseMarkedHosts(
  { clusterName, state: { branch } }: HostsSpec,
  marked: readonly string[],
): void {
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

/** Throws `state-other-cluster` where a host is marked as one of another cluster of this name than that of a state. */
export function refuseOtherHosts(
  { manifest: { cluster, uid } }: Generation,
  looks: ReadonlyMap<string, HostLook>,
): void {
  const other = [...looks.values()].flatMap((look) => {
    if (look.kind !== 'seen') return []
    const { mark, name } = look.host
    return mark && mark.cluster === cluster && mark.uid !== uid && !mark.hasLeft
      ? [{ name, uid: mark.uid }]
      : []
  })
  const [first] = other
  if (first === undefined) return
  throw stateDamage(
    'state-other-cluster',
    cluster,
    `the state is that of the cluster ${cluster} with the uid ${uid}, and ${first.name} is of another cluster of this name, with the uid ${first.uid}`,
  )
}
