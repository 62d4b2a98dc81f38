import type { Finding } from '../lib/finding.ts'
import type { Change } from '../plan/change.ts'
import {
  compareVersions,
  kubernetesUpgradeAllowed,
  parseVersion,
  type UpgradeVerdict,
  upgradeAllowed,
} from '../spec/tables/version-matrix.ts'

/**
 * What forbids these changes of versions: steps that are too wide. Each is reported once, however many nodes it
 * concerns. (What goes back is refused by `guardDowngrades`, whoever plans.)
 */
export function checkVersionJumps(changes: readonly Change[]): Finding[] {
  const findings = [
    ...jumpsOf(changes, 'talosVersion').flatMap(({ before, after }) =>
      refused(['talos', 'version'], upgradeAllowed(before, after)),
    ),
    ...jumpsOf(changes, 'version').flatMap(({ before, after }) =>
      refused(['kubernetes', 'version'], kubernetesUpgradeAllowed(before, after)),
    ),
  ]
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()]
}

function jumpsOf(
  changes: readonly Change[],
  path: string,
): { readonly before: string; readonly after: string }[] {
  return changes.flatMap(({ fields }) =>
    fields
      .filter((field) => field.path === path)
      .map(({ before, after }) => ({ before: String(before), after: String(after) }))
      .filter(({ before, after }) => !goesBack(before, after)),
  )
}

function goesBack(before: string, after: string): boolean {
  const [from, to] = [parseVersion(before), parseVersion(after)]
  return from !== undefined && to !== undefined && compareVersions(to, from) < 0
}

function refused(path: readonly string[], verdict: UpgradeVerdict): Finding[] {
  if (verdict.allowed) return []
  return [
    {
      severity: 'error',
      path,
      message: verdict.reason,
      ...(verdict.through === undefined ? {} : { hint: `Upgrade to ${verdict.through} first.` }),
    },
  ]
}
