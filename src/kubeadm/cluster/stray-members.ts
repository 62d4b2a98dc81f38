import type { EtcdMember } from './etcd-member.ts'
import { type FoundCluster, knownNode, seenNode } from './found-cluster.ts'

/** Members of etcd that belong to no control plane of the cluster. */
interface StrayMembers {
  /** Never started, or of no host: they are removed, since etcd takes no new member beside them. */
  readonly removable: readonly EtcdMember[]
  /** Of no host that is known, and they answer: nobody removes what somebody else may run. */
  readonly foreign: readonly EtcdMember[]
}

/** `wanted` are the names of the hosts in the file. */
export function strayMembers(found: FoundCluster, wanted: ReadonlySet<string>): StrayMembers {
  const members = found.cluster?.members ?? []
  const isKnown = ({ name }: EtcdMember) =>
    wanted.has(name) ||
    knownNode(found, name) !== undefined ||
    seenNode(found, name)?.isControlPlane === true
  const strays = members.filter((member) => !hasStarted(member) || !isKnown(member)).toSorted(byId)
  return {
    removable: strays.filter((member) => !hasStarted(member) || member.isHealthy === false),
    foreign: strays.filter((member) => hasStarted(member) && member.isHealthy !== false),
  }
}

/** A member has no name before it has started for the first time. */
export function hasStarted({ name }: EtcdMember): boolean {
  return name !== ''
}

/** How a member is shown: by its id, which is what it is removed by. */
export function describeMember({ id, name, peerUrls }: EtcdMember): string {
  return name === '' ? `${id} at ${peerUrls.join(', ')}, which never started` : `${id} (${name})`
}

function byId(a: EtcdMember, b: EtcdMember): number {
  return a.id < b.id ? -1 : 1
}
