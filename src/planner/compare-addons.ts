import { describeAddonDrift, healAddonDrifts } from '../addons/heal-drift.ts'
import type { Finding } from '../lib/finding.ts'
import type { Change } from '../plan/change.ts'
import { type ClusterRecord, partOf } from '../plan/record.ts'
import type { KnownCluster } from './known-cluster.ts'

/** The changes of addons with those that put back what was changed by hand, where the policy is to heal. */
export function compareAddons(
  { spec, addons }: KnownCluster,
  changes: readonly Change[],
  records: { readonly desired: readonly ClusterRecord[]; readonly live: readonly ClusterRecord[] },
): Change[] {
  const heals = spec.policy.onAddonDrift === 'heal'
  return addons && heals ? healAddonDrifts(changes, addons.drifts, records) : [...changes]
}

/** Addons that were changed by hand and that these changes do not put back: what is there stays. */
export function leftAddons(
  { addons }: Pick<KnownCluster, 'addons'>,
  changes: readonly Change[],
): Set<string> {
  const changed = new Set(
    changes.flatMap(({ after, before }) => {
      const record = after ?? before
      return record && partOf(record) === 'addon' ? [record.name] : []
    }),
  )
  const differing = [...(addons?.drifts.keys() ?? []), ...(addons?.left ?? [])]
  return new Set(differing.filter((name) => !changed.has(name)))
}

/** Differences that are reported and left, since the policy says so. */
export function reportAddonDrifts({ spec, addons }: KnownCluster): Finding[] {
  if (spec.policy.onAddonDrift === 'heal') return []
  return [...(addons?.drifts ?? [])].map(([name, drifts]) => ({
    severity: 'warning',
    path: ['policy', 'onAddonDrift'],
    message: `the objects of the addon ${name} were changed by hand: ${describeAddonDrift(drifts)}`,
    hint: "Take the change over into the addon's values, or set policy.onAddonDrift to heal.",
  }))
}

/** That the objects of addons were not looked at, where somebody tried. */
export function addonNotes({ addons }: KnownCluster): string[] {
  return addons?.unread === undefined
    ? []
    : [`the objects of the addons were not compared: ${addons.unread}`]
}
