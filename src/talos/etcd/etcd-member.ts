import type { EtcdMember } from '../api/gen/machine/machine_pb.js'

/** By what a control plane is known in etcd's list, whether it answers or not. */
export interface MemberName {
  /** Its host name, which etcd knows once the member has started. */
  readonly name: string
  /** The address in the private network at which the others reach it, known from the beginning. */
  readonly privateIp: string
}

/** Whether a member of etcd is that of this node. */
export function isMemberOf({ hostname, peerUrls }: EtcdMember, { name, privateIp }: MemberName) {
  if (hostname !== '') return hostname === name
  return peerUrls.some((url) => URL.canParse(url) && new URL(url).hostname === privateIp)
}
