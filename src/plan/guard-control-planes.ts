import type { Finding } from '../lib/finding.ts'
import { type Change, changedPart } from './change.ts'
import { orderChanges } from './order-changes.ts'
import { partOf } from './record.ts'

/** What a plan knows of etcd without asking it. */
export interface KnownEtcd {
  readonly bootstrapped: boolean
  /** The control planes that got their config, and may be members. */
  readonly members: readonly { readonly name: string; readonly serverGone: boolean }[]
  /** Whether this very file was applied to its end before: then what differs was not asked for in it. */
  readonly fileIsApplied: boolean
  /** Nodes whose replacement was asked for by name. */
  readonly asked: ReadonlySet<string>
  /** How the file of the mode has control planes; pools by default. */
  readonly words?: EtcdWords | undefined
}

interface EtcdWords {
  readonly path: Finding['path']
  /** What takes away fewer of them at once, as a hint. */
  fewer(most: number): string
  /** What makes more of them, as a hint. */
  readonly more: string
}

const ofPools: EtcdWords = {
  path: ['nodes', 'controlPlane', 'count'],
  fewer: (most) =>
    `Make nodes.controlPlane.count smaller by ${most}, apply, and continue from there.`,
  more: 'Raise nodes.controlPlane.count to 3 (with this change or before it), and go back to 1 afterwards; or take a snapshot of etcd and restore it into a new cluster.',
}

const path = ['nodes', 'controlPlane'] as const

/** How many living control planes one apply takes away at most: from one odd count to the next. */
const mostAtOnce = 2

/**
 * What forbids these changes for the sake of etcd: a quorum that is lost already, a step that would lose
 * it, more steps down than one apply takes, and replacements that nobody asked for. Pure.
 */
export function guardControlPlanes(changes: readonly Change[], etcd: KnownEtcd): Finding[] {
  const taken = changes.filter(takesAway)
  if (!etcd.bootstrapped) return taken.length > 0 ? guardBeginning(etcd) : []
  const lost = guardLostQuorum(etcd)
  if (lost.length > 0) return lost
  return [...guardUnasked(taken, etcd), ...guardNumber(taken, etcd), ...guardLast(changes, etcd)]
}

/** A machine of a control plane that exists and goes. */
function takesAway({ action, before }: Change): boolean {
  return (
    (action === 'delete' || action === 'replace') &&
    before !== undefined &&
    partOf(before) === 'machine' &&
    before.spec['role'] === 'control-plane'
  )
}

function guardBeginning({ members }: KnownEtcd): Finding[] {
  if (members.length === 0) return []
  return [
    error(
      'the control planes have their configs, and it is not known yet whether etcd has started on one of them',
      'Let an apply of the file as it was end first, or destroy the cluster.',
    ),
  ]
}

function guardLostQuorum({ members }: KnownEtcd): Finding[] {
  const gone = members.filter(({ serverGone }) => serverGone).map(({ name }) => name)
  if (gone.length === 0 || 2 * (members.length - gone.length) > members.length) return []
  return [
    error(
      members.length === 1
        ? `the server of ${gone[0]}, the only control plane, is gone, and etcd with all that Kubernetes held is gone with it`
        : `the servers of ${gone.length} of ${members.length} control planes are gone (${gone.join(', ')}): etcd has lost its quorum, and nobody can join it`,
      gone.length < members.length
        ? 'Take a snapshot of what survived (`hcloud-talos snapshot`: it needs no quorum), and restore that one (`hcloud-talos restore`); only without a survivor restore an earlier snapshot.'
        : 'Restore etcd from the newest snapshot (`hcloud-talos restore`); without one, destroy the cluster and begin a new one.',
    ),
  ]
}

function guardUnasked(
  taken: readonly Change[],
  { fileIsApplied, asked, words }: KnownEtcd,
): Finding[] {
  if (!fileIsApplied) return []
  return taken.flatMap(({ action, before, reason, fields }) => {
    if (action !== 'replace' || !before || asked.has(before.name)) return []
    const differs = fields.map((field) => field.path).join(', ')
    return [
      {
        ...error(
          `${before.name} is not as this file, which was applied before, made it (${differs}), and ${reason}`,
          `Set back what was changed by hand, or replace the node by name: --replace ${before.name}.`,
        ),
        ...(words && { path: words.path }),
      },
    ]
  })
}

function guardNumber(taken: readonly Change[], { words = ofPools }: KnownEtcd): Finding[] {
  // One that becomes a worker leaves etcd as well.
  const leaving = taken.filter((change) => !isControlPlane(change)).length
  if (leaving <= mostAtOnce) return []
  return [
    {
      ...error(
        `the file takes ${leaving} control planes away at once; one apply takes away ${mostAtOnce} at most`,
        words.fewer(mostAtOnce),
      ),
      path: words.path,
    },
  ]
}

/** Goes through the plan in its order: the last member never leaves. */
function guardLast(changes: readonly Change[], { members, words }: KnownEtcd): Finding[] {
  // Dead members leave before anything else happens.
  const left = new Set(members.filter(({ serverGone }) => !serverGone).map(({ name }) => name))
  for (const change of orderChanges(changes)) {
    const name = (change.after ?? change.before)?.name ?? ''
    const isMade = change.after !== undefined && change.action !== 'update'
    if (isMade && changedPart(change) === 'node' && isControlPlane(change)) {
      left.add(name)
    }
    if (!takesAway(change)) continue
    if (left.size === 1 && left.has(name)) {
      return [
        {
          ...error(
            `${change.action} of ${name} would take away the only member of etcd, and all that Kubernetes holds with it`,
            (words ?? ofPools).more,
          ),
          ...(words && { path: words.path }),
        },
      ]
    }
    left.delete(name)
  }
  return []
}

function isControlPlane({ after }: Change): boolean {
  return after?.spec['role'] === 'control-plane'
}

function error(message: string, hint: string): Finding {
  return { severity: 'error', path: [...path], message, hint }
}
