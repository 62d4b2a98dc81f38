import type { Change } from '../plan/change.ts'
import { type DiffRules, diffRecords } from '../plan/diff-records.ts'
import type { ClusterRecord } from '../plan/record.ts'
import { manifestsVersion } from './addon-release.ts'
import { type AddonTable, addonNamed, catalogue } from './catalogue.ts'

/** The changes that lead from the addons that were applied to those that are wanted. */
export function diffAddons(
  desired: readonly ClusterRecord[],
  live: readonly ClusterRecord[],
  addons: AddonTable = catalogue,
): Change[] {
  return diffRecords(desired, live, rules(addons))
}

function rules(addons: AddonTable): DiffRules {
  const titleOf = ({ name }: ClusterRecord) => addonNamed(name, addons)?.title ?? name
  return {
    create: (after) => ({ risk: 'additive', reason: `${titleOf(after)} is not installed` }),
    delete: (before) => ({
      risk: addonNamed(before.name, addons)?.removalRisk ?? 'live',
      reason: `${titleOf(before)} is not wanted any more`,
    }),
    update: (_before, after, fields) => ({
      action: 'update',
      risk: 'live',
      reason: fields.some((field) => field.path === 'version')
        ? `another version of ${titleOf(after)} is wanted`
        : `the ${hasManifests(after) ? 'manifests' : 'values'} of ${titleOf(after)} changed`,
    }),
  }
}

function hasManifests({ spec }: ClusterRecord): boolean {
  return 'version' in spec && spec['version'] === manifestsVersion
}
