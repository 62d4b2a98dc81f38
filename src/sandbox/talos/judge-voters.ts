import type { Machine } from '../machine.ts'
import type { World } from '../world.ts'
import type { Etcd } from './etcd.ts'
import { etcdDataOf } from './etcd-service.ts'
import { type TalosCluster, talosState } from './talos-state.ts'

/** How long a member that was asked to stop counts as away although it still runs, in milliseconds. */
const leavingForMs = 120_000

/**
 * The product is about to stop a machine, or to take it away for good: if it holds a voter of etcd, all the
 * others must be there, and none may still be on its way in or up.
 */
export function judgeStop(
  world: World,
  machine: Machine,
  what: string,
  { forGood = false } = {},
): void {
  const data = etcdDataOf(machine.disk)
  if (data === undefined) return
  const { etcd, memberId } = data
  const isMember = etcd.members.has(memberId)
  if (!isMember) return
  // One that is away already is not stopped any more than it is.
  if (forGood || etcd.isStarted(memberId)) judgeOthers(world, etcd, memberId, what)
}

/** The product's request to stop a machine was accepted: until it is back, its voter counts as away. */
export function expectStop(world: World, machine: Machine): void {
  const data = etcdDataOf(machine.disk)
  data?.etcd.leaving.set(data.memberId, world.clock.now() + leavingForMs)
}

/**
 * The product is about to take a member out of etcd. One that is away itself is taken out whoever else is away,
 * as long as the rest has a quorum to do it: each that goes makes the quorum smaller.
 */
export function judgeRemoval(world: World, etcd: Etcd, memberId: bigint, what: string): void {
  if (!etcd.members.has(memberId)) return
  const running = etcd.voters.filter(({ id }) => !isAway(world, etcd, id))
  const hasQuorum = running.length > etcd.voters.length / 2
  if (isAway(world, etcd, memberId) && hasQuorum) return
  judgeOthers(world, etcd, memberId, what)
}

/** A control plane gets its config, and joins: a member more is one more that can be missing. */
export function judgeJoin(world: World, cluster: TalosCluster, what: string): void {
  for (const etcd of cluster.etcds.values()) judgeOthers(world, etcd, undefined, what)
}

/** A server must not go while etcd lists its member, unless all of them go. */
export function judgeServerDeletion(world: World, machine: Machine, what: string): void {
  const data = etcdDataOf(machine.disk)
  if (data === undefined || data.etcd.members.size < 2) return
  if (!data.etcd.members.has(data.memberId)) return
  suspect(world, data.etcd, 'members-leave-first', what)
  judgeStop(world, machine, what, { forGood: true })
}

function judgeOthers(world: World, etcd: Etcd, memberId: bigint | undefined, what: string): void {
  const away = [...etcd.members.values()].filter(
    ({ id, learner }) => id !== memberId && (learner || isAway(world, etcd, id)),
  )
  const names = [...away.map(({ hostname }) => hostname || 'a new member'), ...joining(world, etcd)]
  if (names.length > 0) suspect(world, etcd, 'one-voter-away', `${what} while ${names} is away`)
}

function isAway(world: World, etcd: Etcd, id: bigint): boolean {
  return !etcd.isStarted(id) || (etcd.leaving.get(id) ?? 0) > world.clock.now()
}

/** Control planes of this etcd's cluster that have their config and are no members yet. */
function joining(world: World, etcd: Etcd): string[] {
  const { nodes } = talosState(world)
  return [...nodes]
    .filter(({ cluster, config, etcd: service, stage }) => {
      if (!config?.controlPlane || cluster?.etcds.get(etcd.id) !== etcd) return false
      return service.data === undefined && service.isToJoin && !stage.isGoingDown
    })
    .map(({ name }) => name)
}

/** Excused where the etcd is given up: by a destroy of its cluster, or by a restore that begins it again. */
function suspect(
  world: World,
  etcd: Etcd,
  invariant: 'one-voter-away' | 'members-leave-first',
  what: string,
): void {
  const at = world.clock.now()
  let isBuiltOn = false
  world.judge.onConstruction(() => {
    isBuiltOn ||= isHeld(world, etcd)
  })
  world.judge.suspect(invariant, what, () => {
    const cluster = clusterOf(world, etcd)
    const isRestored = cluster?.bootstraps.some((begin) => begin.recovered && begin.at >= at)
    return isRestored || (!isBuiltOn && !isHeld(world, etcd))
  })
}

/** The cluster whose etcd it is, or was. */
function clusterOf(world: World, { id }: Etcd): TalosCluster | undefined {
  return [...talosState(world).clusters.values()].find(({ bootstraps }) =>
    bootstraps.some(({ etcd }) => etcd === id),
  )
}

function isHeld({ machines }: World, etcd: Etcd): boolean {
  return [...machines.values()].some(({ disk }) => etcdDataOf(disk)?.etcd === etcd)
}
