import { describeImages } from '../../hetzner/describe-images.ts'
import { describeMisplaced } from '../../hetzner/place-nodes.ts'
import type { Finding } from '../../lib/finding.ts'
import type { Change } from '../../plan/change.ts'
import { makePlan, type Plan } from '../../plan/plan.ts'
import { type ClusterRecord, recordKey } from '../../plan/record.ts'
import {
  type ApplyStage,
  checkStage,
  checkStagedControlPlanes,
  isOfStage,
} from '../apply-stages.ts'
import { addonNotes, reportAddonDrifts } from '../compare-addons.ts'
import { reportHandedOut } from '../handed-out.ts'
import { warnNetworkChange } from '../network-change.ts'
import { checkRunningSettings } from './check-running-settings.ts'
import type { ClusterView } from './cluster-view.ts'
import { type ClusterComparison, compareCluster, isOwn } from './compare-cluster.ts'
import { refuseReinstall, reportAlarms, reportDrifts, uncompared } from './compare-configs.ts'
import { describeExtras } from './describe-extras.ts'
import { checkReplaced, type GuardOptions, guardCluster, guardNewNodes } from './guard-cluster.ts'
import { contractNotes, guardContract } from './guard-contract.ts'
import { reportEnded } from './refuse-ended.ts'
import { refuseUnconfigured } from './refuse-unconfigured.ts'
import { reportRolledBack } from './report-rolled-back.ts'

interface ApplyPlanOptions extends GuardOptions {
  readonly stage?: ApplyStage | undefined
}

/**
 * What an apply would do: everything in which the cluster differs from the spec, but for upgrades of
 * Talos and Kubernetes, which wait for their own verb. Pure but for `now` (milliseconds since the epoch), which
 * decides what can still be ordered.
 */
export function planApply(view: ClusterView, options: ApplyPlanOptions): Plan {
  const parts = compareCluster(view, options.replace, options.now)
  const { stage } = options
  const inStage = (change: Change) => stage === undefined || isOfStage(change, stage)
  const changes = parts.changes.filter(inStage)
  return makePlan({
    clusterName: view.spec.clusterName,
    verb: 'apply',
    changes,
    waiting: parts.versions.changes.filter(inStage),
    desired: parts.desired,
    live: parts.live.filter(isOwn),
    uid: view.generation?.inventory.uid,
    findings: [
      ...parts.findings,
      ...parts.versions.downgrades,
      ...(stage === undefined ? parts.versions.findings.map(asWarning) : []),
      ...checkRunningSettings(view.spec, parts.versions.changes),
      ...refuseReinstall(view, changes),
      ...reportDrifts(view),
      ...reportRolledBack(view, changes),
      ...refuseUnconfigured(view, changes),
      ...reportAddonDrifts(view),
      ...reportAlarms(view),
      ...reportHandedOut(view.generation, options.now),
      ...(changes.length > 0 ? reportEnded(view, options.now) : []),
      ...warnNetworkChange(view, parts.changes),
      ...guardContract(view, changes),
      ...guardCluster(view, changes, options),
      ...guardNewNodes(view, changes),
      ...checkStage(changes, parts.changes),
      ...(stage === undefined ? [] : checkStagedControlPlanes(changes)),
      ...checkReplaced(view, options.replace),
    ],
    notes: [
      ...imageNotes(view, changes, parts, options.now),
      ...contractNotes(view),
      ...describeExtras(view),
      ...describeMisplaced(view.spec, view.nodes, staying(view, changes)),
      ...(stage === undefined || stage === 'talos' ? notesOf(view) : []),
      ...addonNotes(view),
    ],
  })
}

/** The servers that are there and stay. */
function staying({ hetzner }: ClusterView, changes: readonly Change[]): ClusterRecord[] {
  const going = new Set(changes.flatMap(({ key, action }) => (action === 'update' ? [] : [key])))
  return hetzner.records.filter((record) => !going.has(recordKey(record)))
}

/** What servers are created from, where any is. */
function imageNotes(
  { hetzner }: ClusterView,
  changes: readonly Change[],
  { desired, live }: Pick<ClusterComparison, 'desired' | 'live'>,
  now: number,
): string[] {
  const needed = new Set<string>(
    changes.flatMap(({ action, after, needs }) =>
      after?.kind === 'server' && action !== 'update' ? needs : [],
    ),
  )
  const images = desired.filter((one) => one.kind === 'image' && needed.has(recordKey(one)))
  const { snapshots, knownImages } = hetzner
  return describeImages({ desired: images, live, snapshots, knownImages, now })
}

function notesOf(view: ClusterView): string[] {
  const note = uncompared(view)
  return note === undefined ? [] : [note]
}

/** An apply goes on all the same: what would stand in the way of the upgrade that waits is said early. */
function asWarning(finding: Finding): Finding {
  return { ...finding, severity: 'warning' }
}
