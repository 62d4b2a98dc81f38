import type { Finding } from '../../lib/finding.ts'
import type { Change } from '../../plan/change.ts'
import { makePlan, type Plan } from '../../plan/plan.ts'
import {
  type ApplyStage,
  checkStage,
  checkStagedControlPlanes,
  isOfStage,
} from '../apply-stages.ts'
import { addonNotes, reportAddonDrifts } from '../compare-addons.ts'
import { reportHandedOut } from '../handed-out.ts'
import { warnNetworkChange } from '../network-change.ts'
import { checkHostVersions } from './check-host-versions.ts'
import { compareHosts } from './compare-hosts.ts'
import { guardHosts, type HostsGuardOptions } from './guard-hosts.ts'
import type { HostsView } from './hosts-view.ts'

interface ApplyPlanOptions extends HostsGuardOptions {
  readonly stage?: ApplyStage | undefined
}

/**
 * What an apply would do: everything in which the cluster differs from the spec, but for other versions, which wait for
 * their own verb. Pure.
 */
export function planApply(view: HostsView, options: ApplyPlanOptions): Plan {
  const { stage, now } = options
  const parts = compareHosts(view, options)
  const inStage = (change: Change) => stage === undefined || isOfStage(change, stage)
  const changes = parts.changes.filter(inStage)
  const versions = checkHostVersions(view, parts.versions)
  return makePlan({
    clusterName: view.spec.clusterName,
    verb: 'apply',
    changes,
    waiting: parts.versions.filter(inStage),
    desired: parts.desired,
    live: parts.live,
    uid: view.generation?.inventory.uid,
    findings: [
      ...versions.downgrades,
      ...(stage === undefined ? versions.jumps.map(asWarning) : []),
      ...reportAddonDrifts(view),
      ...reportHandedOut(view.generation, now),
      ...warnNetworkChange(view, parts.changes),
      ...guardHosts(view, changes, options),
      ...checkStage(changes, parts.changes),
      ...(stage === undefined ? [] : checkStagedControlPlanes(changes)),
    ],
    notes: addonNotes(view),
  })
}

/** An apply goes on all the same: what would stand in the way of the upgrade that waits is reported early. */
function asWarning(finding: Finding): Finding {
  return { ...finding, severity: 'warning' }
}
