import type { Change } from '../plan/change.ts'
import { type DiffRules, diffRecords } from '../plan/diff-records.ts'
import type { ClusterRecord } from '../plan/record.ts'
import type { AddonTraits } from './addon.ts'
import { manifestsVersion } from './addon-release.ts'
import { broughtRemovalRisk } from './brought-addon.ts'
import { addonNamed, catalogue } from './catalogue.ts'
import { unfinished } from './render-releases.ts'

/**
 * The changes that lead from the addons that were applied to those that are wanted. One that was started and never ended
 * well is created still, or removed where it is not wanted any more.
 */
export function diffAddons(
  desired: readonly ClusterRecord[],
  live: readonly ClusterRecord[],
  addons: Readonly<Record<string, AddonTraits>> = catalogue,
): Change[] {
  const wanted = new Set(desired.map(({ name }) => name))
  const known = live.filter((record) => !(wanted.has(record.name) && isUnfinished(record)))
  const asked = new Map(desired.map(({ name, spec }) => [name, spec['digest']]))
  const found = known.map((record) =>
    asked.get(record.name) === record.spec['digest'] ? asBegun(record) : record,
  )
  return diffRecords(desired, found, rules(addons))
}

/** One that is to be what it was before an update of it that did not end: its objects may be of both. */
function asBegun(record: ClusterRecord): ClusterRecord {
  const begun = begunOf(record)
  return begun === undefined ? record : { ...record, spec: { ...record.spec, digest: begun } }
}

function begunOf({ facts }: ClusterRecord): string | undefined {
  const begun = facts?.['begun']
  return typeof begun === 'string' ? begun : undefined
}

function rules(addons: Readonly<Record<string, AddonTraits>>): DiffRules {
  const titleOf = ({ name }: ClusterRecord) => addonNamed(name, addons)?.title ?? name
  return {
    create: (after) => ({ risk: 'additive', reason: `${titleOf(after)} is not installed` }),
    delete: (before) => ({
      risk: addonNamed(before.name, addons)?.removalRisk ?? broughtRemovalRisk,
      reason: `${titleOf(before)} is not wanted any more`,
    }),
    update: (before, after, fields) => ({
      action: 'update',
      risk: 'live',
      reason:
        before.spec['digest'] === begunOf(before)
          ? `an update of ${titleOf(after)} did not end, and is taken back`
          : fields.some((field) => field.path === 'version')
            ? `another version of ${titleOf(after)} is wanted`
            : `the ${hasManifests(after) ? 'manifests' : 'values'} of ${titleOf(after)} changed`,
    }),
  }
}

function isUnfinished({ spec }: ClusterRecord): boolean {
  return 'version' in spec && spec['version'] === unfinished
}

function hasManifests({ spec }: ClusterRecord): boolean {
  return 'version' in spec && spec['version'] === manifestsVersion
}
