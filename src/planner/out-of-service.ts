import { type Change, changedPart } from '../plan/change.ts'

/** Nodes that are not in service when a run begins, since an earlier one or somebody else took them out. */
export interface OutOfService {
  /** Those that this run makes again, starts or takes away: with these changes they are back, or gone. */
  readonly away: ReadonlySet<string>
  /** Those that a run of ours cordoned and did not come to uncordon, each with the run. */
  readonly cordoned: ReadonlyMap<string, string>
}

export const allInService: OutOfService = { away: new Set(), cordoned: new Map() }

/**
 * Of the nodes that runs of ours have cordoned, each with the run, those that are there and stay: what is away, made
 * again or taken away is waited for by its changes. Pure.
 */
export function leftCordoned(
  cordoned: ReadonlyMap<string, string>,
  {
    known,
    away,
    changes,
  }: {
    readonly known: ReadonlySet<string>
    readonly away: ReadonlySet<string>
    readonly changes: readonly Change[]
  },
): Map<string, string> {
  const changedOtherwise = new Set(
    changes
      .filter((change) => change.action !== 'update')
      .filter((change) => ['machine', 'node'].includes(changedPart(change) ?? ''))
      .map(({ after, before }) => (after ?? before)?.name),
  )
  return new Map(
    [...cordoned].filter(
      ([name]) => known.has(name) && !away.has(name) && !changedOtherwise.has(name),
    ),
  )
}
