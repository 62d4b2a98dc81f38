import type { Finding } from '../lib/finding.ts'
import type { Change } from '../plan/change.ts'
import { makePlan, type Plan } from '../plan/plan.ts'
import type { RecordKey } from '../plan/record.ts'
import { upgradeAllowed } from '../spec/version-matrix.ts'
import type { ClusterView } from './observe-cluster.ts'
import { compareCluster, guardCluster, isOwn } from './plan-apply.ts'

/**
 * What the upgrade button would do: every node that runs another Talos version or image than the spec
 * asks for, one at a time, control planes first. What else differs waits for an apply. A jump that
 * Talos does not allow is an error among the findings.
 */
export function planUpgrade(view: ClusterView, options: { readonly now: number }): Plan {
  const { changes: others, upgrades, desired, live } = compareCluster(view)
  const changes = oneNodeAtATime(upgrades)
  return makePlan({
    clusterName: view.spec.clusterName,
    verb: 'upgrade',
    changes,
    waiting: others,
    desired,
    live: live.filter(isOwn),
    uid: view.generation?.inventory.uid,
    findings: [...checkJumps(upgrades), ...guardCluster(view, changes, options)],
  })
}

function oneNodeAtATime(upgrades: readonly Change[]): Change[] {
  const isControlPlane = (change: Change) => change.after?.spec['role'] === 'control-plane'
  const ordered = [
    ...upgrades.filter(isControlPlane).sort(byKey),
    ...upgrades.filter((change) => !isControlPlane(change)).sort(byKey),
  ]
  return ordered.map((change, index) => {
    const previous: RecordKey | undefined = ordered[index - 1]?.key
    return { ...change, needs: previous ? [previous] : [] }
  })
}

function checkJumps(upgrades: readonly Change[]): Finding[] {
  const jumps = new Map<string, Finding>()
  for (const { fields } of upgrades) {
    const version = fields.find(({ path }) => path === 'talosVersion')
    if (!version) continue
    const verdict = upgradeAllowed(String(version.before), String(version.after))
    if (verdict.allowed) continue
    jumps.set(String(version.before), {
      severity: 'error',
      path: ['talos', 'version'],
      message: verdict.reason,
      ...(verdict.through === undefined ? {} : { hint: `upgrade to ${verdict.through} first` }),
    })
  }
  return [...jumps.values()]
}

function byKey(a: Change, b: Change): number {
  return a.key.localeCompare(b.key, 'en', { numeric: true })
}
