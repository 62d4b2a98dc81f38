import type { Change, Risk } from '../plan/change.ts'
import { type DiffRules, diffRecords } from '../plan/diff-records.ts'
import type { ClusterRecord } from '../plan/record.ts'
import { addonNamed } from './catalogue.ts'

/** The changes that lead from the addons that were applied to those that are wanted. */
export function diffAddons(
  desired: readonly ClusterRecord[],
  live: readonly ClusterRecord[],
): Change[] {
  return diffRecords(desired, live, rules)
}

const rules: DiffRules = {
  create: (after) => ({ risk: 'additive', reason: `${titleOf(after)} is not installed` }),
  delete: (before) => ({
    risk: riskOfRemoval(before),
    reason: `${titleOf(before)} is not wanted any more`,
  }),
  update: (_before, after, fields) => ({
    action: 'update',
    risk: 'live',
    reason: fields.some((field) => field.path === 'version')
      ? `another version of ${titleOf(after)} is wanted`
      : `the values of ${titleOf(after)} changed`,
  }),
}

/** Without its network no pod reaches another: as bad for what runs as a drain of every node. */
function riskOfRemoval({ name }: ClusterRecord): Risk {
  return name === 'cilium' ? 'drain' : 'live'
}

function titleOf({ name }: ClusterRecord): string {
  return addonNamed(name)?.title ?? name
}
