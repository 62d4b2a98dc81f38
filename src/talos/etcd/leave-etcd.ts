import { ClusterError, isClusterError } from '../../lib/cluster-error.ts'
import type { Checked } from '../../lib/wait-for.ts'
import type { EtcdMember } from '../api/gen/machine/machine_pb.js'
import { talosApi } from '../api/talos-api.ts'
import type { TalosConnection } from '../api/talos-caller.ts'
import { askAny } from '../ask-any.ts'
import type { ControlPlane } from '../control-plane.ts'
import { type TalosWaitOptions, waitForTalos } from '../wait-for-talos.ts'
import { isMemberOf, type MemberName } from './etcd-member.ts'

export interface LeaveEtcdOptions extends TalosWaitOptions {
  readonly leaving: MemberName
  /** A connection to it; absent where its server is gone. */
  readonly client?: TalosConnection | undefined
  /** The control planes that stay; etcd must be healthy among them. */
  readonly staying: readonly [ControlPlane, ...ControlPlane[]]
}

/** How long the etcd of a node that is about to leave may be silent before it is removed by the others, in milliseconds. */
const patienceMs = 30_000

/**
 * Takes one control plane's member out of etcd, and returns when every one that stays says that it is
 * gone: its id, undefined where it was no member any more. A member that answers hands the leadership on
 * and leaves by itself; one that stays silent is removed by its id through the others. Answers that are
 * lost do not matter, since the list is read again. Throws `etcd-leave-failed` when it is still there in
 * the end: then its server must not be deleted.
 */
export async function leaveEtcdCluster(options: LeaveEtcdOptions): Promise<bigint | undefined> {
  const { leaving } = options
  const progress: Leave = { id: undefined, silentSince: undefined }
  try {
    await waitForTalos(`${leaving.name} to leave etcd`, () => step(options, progress), options, {
      defaultMs: 300_000,
      hint: '',
    })
    return progress.id
  } catch (error) {
    if (!isClusterError(error, 'wait-timeout', 'talos-refused', 'talos-unreachable')) throw error
    throw new ClusterError(
      'etcd-leave-failed',
      `${leaving.name} could not leave etcd: ${error.message}`,
      {
        operation: 'take a member out of etcd',
        target: leaving.name,
        hint: 'Look at `hcloud-talos talos etcd status` and `hcloud-talos talos etcd members`, and run again: it continues from there. Its server was not deleted.',
        cause: error,
      },
    )
  }
}

interface Leave {
  id: bigint | undefined
  /** Since when its own etcd has given no answer. */
  silentSince: number | undefined
}

async function step(options: LeaveEtcdOptions, progress: Leave): Promise<Checked<true>> {
  const { staying, leaving, client, clock } = options
  const member = await findMember(staying, leaving)
  if (member === undefined) return { done: true }
  progress.id = member.id
  if (client !== undefined && (await isAlive(client))) {
    progress.silentSince = undefined
    return attempt(client, 'it has left', () => handOnAndLeave(client))
  }
  progress.silentSince ??= clock.now()
  if (client !== undefined && clock.now() - progress.silentSince < patienceMs) {
    return { pending: 'its etcd does not answer' }
  }
  return attempt(staying[0].client, 'it was removed by its id', () =>
    askAny(staying, (other) => talosApi(other).machine.etcdRemoveMemberById(member.id)),
  )
}

/** The member as any of those that stay still has it in its list. */
async function findMember(
  staying: readonly ControlPlane[],
  leaving: MemberName,
): Promise<EtcdMember | undefined> {
  const lists = await Promise.all(
    staying.map(({ client }) => talosApi(client).machine.etcdMemberList()),
  )
  return lists.flatMap(({ members }) => members).find((member) => isMemberOf(member, leaving))
}

async function isAlive(client: TalosConnection): Promise<boolean> {
  try {
    const { memberStatus } = await talosApi(client).machine.etcdStatus({ timeoutMs: 5_000 })
    return memberStatus !== undefined
  } catch {
    client.throwIfAborted()
    // Whatever is wrong with it, it cannot be asked.
    return false
  }
}

/** Where it leads, the leadership goes first: nobody has to wait for an election then. */
async function handOnAndLeave(client: TalosConnection): Promise<void> {
  const { machine } = talosApi(client)
  const { memberStatus: own } = await machine.etcdStatus()
  if (own !== undefined && own.leader === own.memberId) await machine.etcdForfeitLeadership()
  await machine.etcdLeaveCluster()
}

/** Whatever comes of it, only the list of the others tells whether it was of use. */
async function attempt(
  client: TalosConnection,
  done: string,
  run: () => Promise<unknown>,
): Promise<Checked<true>> {
  try {
    await run()
    return { pending: `${done}; the others have not confirmed it yet` }
  } catch (error) {
    client.throwIfAborted()
    return { pending: error instanceof Error ? error.message : String(error) }
  }
}
