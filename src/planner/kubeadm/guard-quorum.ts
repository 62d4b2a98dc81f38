import { knownNode, runningRole, standingOf } from '../../kubeadm/cluster/found-cluster.ts'
import { hasStarted, strayMembers } from '../../kubeadm/cluster/stray-members.ts'
import type { Finding } from '../../lib/finding.ts'
import { type Change, changedPart } from '../../plan/change.ts'
import { orderChanges } from '../../plan/order-changes.ts'
import { partOf } from '../../plan/record.ts'
import { foundIn } from './found-in-view.ts'
import { hostsFinding } from './hosts-finding.ts'
import type { HostsView } from './hosts-view.ts'
import { isControlPlanes, isDisruptive } from './order-hosts.ts'

/** The members that vote, each with whether it is up. */
export type Members = ReadonlyMap<string, boolean>

/** As etcd lists them; of one whose host is not reached nobody knows that it stays up, and it counts as down. */
export function votingMembers(view: HostsView): Members {
  const found = foundIn(view)
  const wanted = new Set(view.spec.hosts.map(({ name }) => name))
  const isUp = (name: string) => {
    const isOurs = wanted.has(name) || knownNode(found, name) !== undefined
    return !isOurs || (found.hosts.has(name) && standingOf(found, name) !== 'lost')
  }
  const voting = (view.cluster?.members ?? []).filter(({ isLearner }) => !isLearner)
  return new Map(
    voting.map((member) => [
      hasStarted(member) ? member.name : member.id,
      hasStarted(member) && member.isHealthy !== false && isUp(member.name),
    ]),
  )
}

/**
 * Goes through the changes in their order, and refuses what etcd would lose its quorum by: a member that leaves while
 * another one is down, one that joins beside one that is down, one that stops beside one that is down.
 */
export function guardQuorum(view: HostsView, changes: readonly Change[]): Finding[] {
  const members = new Map(votingMembers(view))
  if (members.size === 0) return []
  for (const change of orderChanges(changes)) {
    const refused = step(view, change, members)
    if (refused !== undefined) return [refused]
  }
  return guardMissing(view, changes)
}

function step(view: HostsView, change: Change, members: Map<string, boolean>): Finding | undefined {
  if (change.action === 'update' && change.after?.kind === 'etcd') {
    return removeStrays(view, members)
  }
  if (change.action === 'update' && change.after?.kind === 'kubernetes') {
    if (change.risk === 'live') return undefined
    return [...members.keys()].flatMap((each) => refuseStop(each, members, change) ?? [])[0]
  }
  return isControlPlanes(change) ? controlPlaneStep(change, members) : undefined
}

function controlPlaneStep(change: Change, members: Map<string, boolean>): Finding | undefined {
  const name = (change.after ?? change.before)?.name ?? ''
  if (takesMember(change) && members.has(name)) {
    const refused = refuseRemoval(name, members, change)
    if (refused) return refused
    members.delete(name)
  }
  if (changedPart(change) === 'node' && change.action !== 'update' && isControlPlaneAfter(change)) {
    const refused = refuseJoin(members, change)
    members.set(name, true)
    return refused
  }
  const stops = change.action === 'update' && isDisruptive(change) && members.has(name)
  return stops ? refuseStop(name, members, change) : undefined
}

/** A node that goes, or leaves and comes back. */
function takesMember({ action, before }: Change): boolean {
  const wasControlPlane = before?.spec['role'] === 'control-plane'
  if (action === 'replace') return wasControlPlane
  return action === 'delete' && wasControlPlane && before !== undefined && partOf(before) === 'node'
}

function isControlPlaneAfter({ after }: Change): boolean {
  return after?.spec['role'] === 'control-plane'
}

function removeStrays(view: HostsView, members: Map<string, boolean>): Finding | undefined {
  const found = foundIn(view)
  const wanted = new Set(view.spec.hosts.map(({ name }) => name))
  const { removable } = strayMembers(found, wanted)
  if (upOf(members) < quorumOf(members.size)) return noQuorum(members)
  for (const member of removable) members.delete(hasStarted(member) ? member.name : member.id)
  return undefined
}

function refuseRemoval(name: string, members: Members, change: Change): Finding | undefined {
  const isUp = members.get(name) === true
  const down = downOf(members).filter((other) => other !== name)
  if (members.size === 1) {
    return hostsFinding(
      'error',
      `${change.action} of ${name} would take away the only member of etcd, and all that Kubernetes holds with it`,
      'Make two more control planes of other hosts first, and apply that.',
    )
  }
  if (!isUp) return upOf(members) < quorumOf(members.size) ? noQuorum(members) : undefined
  if (down.length === 0) return undefined
  return hostsFinding(
    'error',
    `${change.action} of ${name} would take a member from etcd while ${down.join(' and ')} is down`,
    `Bring ${down.join(' and ')} back first, or remove it from hosts and apply that.`,
  )
}

function refuseJoin(members: Members, { after }: Change): Finding | undefined {
  const down = downOf(members)
  if (down.length === 0) return undefined
  return hostsFinding(
    'error',
    `${after?.name} cannot join etcd while ${down.join(' and ')} is down`,
    `Bring ${down.join(' and ')} back first, or remove it from hosts.`,
  )
}

/** One stops at a time; one alone may stop too: its API is away for that time, and nothing is lost. */
function refuseStop(name: string, members: Members, change: Change): Finding | undefined {
  const down = downOf(members).filter((other) => other !== name)
  if (members.get(name) !== true || down.length === 0) return undefined
  return hostsFinding(
    'error',
    `${change.key} stops ${name} for a while, and ${down.join(' and ')} is down`,
    `Bring ${down.join(' and ')} back first.`,
  )
}

function noQuorum(members: Members): Finding {
  return hostsFinding(
    'error',
    `etcd has no quorum: ${upOf(members)} of ${members.size} members are up (down: ${downOf(members).join(', ')})`,
    'Bring one of them back; where they are gone for good, restore etcd from a snapshot.',
  )
}

/** A control plane without a member does not count, whatever its node shows. */
function guardMissing(view: HostsView, changes: readonly Change[]): Finding[] {
  const found = foundIn(view)
  const members = new Set((view.cluster?.members ?? []).map(({ name }) => name))
  const replaced = new Set<string>(
    changes.flatMap(({ key, action }) => (action === 'replace' ? [key] : [])),
  )
  return view.spec.hosts
    .map(({ name }) => name)
    .filter(
      (name) =>
        found.hosts.has(name) &&
        standingOf(found, name) === 'member' &&
        runningRole(found, name) === 'control-plane' &&
        !members.has(name) &&
        !replaced.has(`node/${name}`),
    )
    .map((name) =>
      hostsFinding(
        'error',
        `${name} is a control plane, and etcd has no member of it`,
        `Replace it by name: --replace ${name}.`,
      ),
    )
}

function quorumOf(size: number): number {
  return Math.floor(size / 2) + 1
}

function upOf(members: Members): number {
  return [...members.values()].filter(Boolean).length
}

function downOf(members: Members): string[] {
  return [...members.entries()].flatMap(([name, isUp]) => (isUp ? [] : [name])).sort()
}
