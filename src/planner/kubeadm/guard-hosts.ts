import type { Finding } from '../../lib/finding.ts'
import { type Change, changedPart } from '../../plan/change.ts'
import { guardControlPlanes } from '../../plan/guard-control-planes.ts'
import { nearestName } from '../../spec/nearest-name.ts'
import { isApplied } from '../applied-spec.ts'
import { guardPendingRestore } from '../pending-restore.ts'
import { clusterFindings } from './cluster-findings.ts'
import { replacedHosts } from './found-in-view.ts'
import { guardAuthority, guardRemains } from './guard-authority.ts'
import { guardBeginning } from './guard-beginning.ts'
import { guardFixedConfiguration } from './guard-fixed-configuration.ts'
import { guardQuorum, votingMembers } from './guard-quorum.ts'
import { hostsFinding } from './hosts-finding.ts'
import type { HostsView } from './hosts-view.ts'
import { lookFindings } from './look-findings.ts'

export interface HostsGuardOptions {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Names of nodes that leave and come back although nothing differs. */
  readonly replace?: readonly string[] | undefined
}

/** What forbids these changes, or is doubtful, whoever plans them. */
export function guardHosts(
  view: HostsView,
  changes: readonly Change[],
  { now, replace = [] }: HostsGuardOptions,
): Finding[] {
  const pending = guardPendingRestore(view.generation?.journal ?? [])
  // Until it is done, nothing else that is found means anything.
  if (pending.length > 0) return pending
  const second = guardBeginning(view)
  if (second.length > 0) return second
  return [
    ...guardAuthority(view),
    ...guardRemains(view),
    ...guardUnasked(view, changes),
    ...guardFixedConfiguration(view, replace),
    ...guardMembers(view, changes, replace),
    ...guardQuorum(view, changes),
    ...lookFindings(view, changes, replace),
    ...clusterFindings(view, now),
    ...checkReplaced(view, replace),
  ]
}

/** What every mode refuses for the sake of etcd. */
function guardMembers(
  view: HostsView,
  changes: readonly Change[],
  replace: readonly string[],
): Finding[] {
  const { spec, generation } = view
  if (view.cluster === undefined) return []
  return guardControlPlanes(changes, {
    bootstrapped: generation?.inventory.bootstrapped ?? false,
    // That the cluster answers proves a quorum: who is down is judged change by change.
    members: [...votingMembers(view).keys()].map((name) => ({ name, serverGone: false })),
    fileIsApplied: isApplied(spec, generation),
    asked: new Set(replacedHosts(view, replace).keys()),
    words: {
      path: ['hosts'],
      fewer: (most) => `Take ${most} of them out of hosts, apply, and continue from there.`,
      more: 'Make two more control planes of other hosts first, and apply that.',
    },
  })
}

/** A cluster that nobody could ask is left as it is. */
function guardUnasked(view: HostsView, changes: readonly Change[]): Finding[] {
  const { generation, cluster, unasked } = view
  if (!generation?.inventory.bootstrapped || cluster !== undefined) return []
  const isTouched = changes.some((change) => changedPart(change) !== 'machine')
  return [
    hostsFinding(
      isTouched ? 'error' : 'warning',
      `the cluster could not be asked (${unasked ?? 'no control plane was reached'}): only what its hosts and the state show is compared`,
      'Bring a control plane back that answers, and run again.',
    ),
  ]
}

/** A name that is mistyped must not pass for a node that is as it should be. */
function checkReplaced({ spec, hosts }: HostsView, replace: readonly string[]): Finding[] {
  const names = spec.hosts.map(({ name }) => name)
  return replace.flatMap((name) => {
    if (!names.includes(name)) {
      const near = nearestName(name, names)
      return hostsFinding(
        'error',
        `${name}, which is to be replaced, is not a node of this cluster`,
        near === undefined
          ? `Name one of its nodes: ${names.join(', ')}.`
          : `Write ${near}, if that is meant.`,
      )
    }
    return hosts.get(name)?.kind === 'seen'
      ? []
      : hostsFinding(
          'error',
          `${name}, which is to be replaced, is not reached`,
          'Bring its host back, or another one under its name and address.',
        )
  })
}
