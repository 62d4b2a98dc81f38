import { MachineService } from '../gen/machine/machine_pb.js'
import type { CallOptions, Requests, TalosCaller } from '../talos-caller.ts'
import { askOne } from './ask-one.ts'
import { followOne } from './follow-one.ts'

const { method } = MachineService

/** How long it may take a member to leave, in milliseconds, where a call says nothing else. */
const leaveMs = 60_000

/** How long a snapshot of any size may take one way, likewise. */
const snapshotMs = 60 * 60_000

/** How much is sent to a node at once, in bytes; the limit for one message is 32 MiB. */
const pieceSize = 256 << 10

/** etcd, by a control plane; a worker answers `talos-refused`. Members are known by id, an unsigned 64-bit integer. */
export function etcdMethods(caller: TalosCaller) {
  return {
    /** The members of the cluster. `local` asks the node's own etcd alone. For os:reader, os:etcd:backup. */
    etcdMemberList: ({ local = false }: { local?: boolean } = {}, options?: CallOptions) =>
      askOne(caller, method.etcdMemberList, { queryLocal: local }, options),

    /** The node's own member: sizes in bytes, leader, raft term and index. For os:reader, os:etcd:backup. */
    etcdStatus: (options?: CallOptions) => askOne(caller, method.etcdStatus, {}, options),

    /** The alarms that are raised, of every member. For os:reader, os:etcd:backup. */
    etcdAlarmList: (options?: CallOptions) => askOne(caller, method.etcdAlarmList, {}, options),

    /** Lowers all alarms; one whose reason is still there comes again. For os:operator. */
    etcdAlarmDisarm: (options?: CallOptions) => askOne(caller, method.etcdAlarmDisarm, {}, options),

    /** Frees what etcd no longer needs on disk. It blocks this member: one node at a time. For os:operator. */
    etcdDefragment: (options?: CallOptions) => askOne(caller, method.etcdDefragment, {}, options),

    /**
     * Hands the leadership over, if the node's member has it; answers whom it went to. `talos-refused` where
     * there is no other member. For os:admin.
     */
    etcdForfeitLeadership: (options?: CallOptions) =>
      askOne(caller, method.etcdForfeitLeadership, {}, options),

    /** Makes the node's own member leave. For os:admin. */
    etcdLeaveCluster: (options?: CallOptions) =>
      askOne(caller, method.etcdLeaveCluster, {}, { timeoutMs: leaveMs, ...options }),

    /** Takes a member out by its id, through any healthy one. For os:admin. */
    etcdRemoveMemberById: (memberId: bigint, options?: CallOptions) =>
      askOne(caller, method.etcdRemoveMemberByID, { memberId }, options),

    /** A snapshot of etcd, in pieces; it ends with its own SHA-256. For os:operator, os:etcd:backup. */
    etcdSnapshot: (options?: CallOptions) =>
      followOne(caller, method.etcdSnapshot, {}, { timeoutMs: snapshotMs, ...options }),

    /** Hands a snapshot to a node, for `bootstrap` to recover etcd from: the last one counts. For os:admin. */
    etcdRecover: async (pieces: Requests<Uint8Array>, options?: CallOptions) => {
      await caller.upload(method.etcdRecover, inMessages(pieces), {
        timeoutMs: snapshotMs,
        ...options,
      })
    },

    /** Whether etcd could go back to `version` (`3.5`). Talos 1.11 and later; for os:admin, as the next two. */
    etcdDowngradeValidate: (version: string, options?: CallOptions) =>
      askOne(caller, method.etcdDowngradeValidate, { version }, options),

    /** Begins going back to it. */
    etcdDowngradeEnable: (version: string, options?: CallOptions) =>
      askOne(caller, method.etcdDowngradeEnable, { version }, options),

    /** Gives up going back. */
    etcdDowngradeCancel: (options?: CallOptions) =>
      askOne(caller, method.etcdDowngradeCancel, {}, options),
  }
}

async function* inMessages(pieces: Requests<Uint8Array>): AsyncGenerator<{ bytes: Uint8Array }> {
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += pieceSize) {
      yield { bytes: piece.subarray(at, at + pieceSize) }
    }
  }
}
