import { carryOut } from '../../../engine/hetzner-talos/carry-out.ts'
import { rollVersions } from '../../../engine/hetzner-talos/roll-versions.ts'
import { verifyCluster } from '../../../engine/hetzner-talos/verify-cluster.ts'
import { requireWrite } from '../../../hetzner/require-write.ts'
import { sweepBuilders } from '../../../hetzner/sweep-builders.ts'
import type { ClusterView } from '../../../planner/hetzner-talos/cluster-view.ts'
import { describeEndpoint, describeNodes } from '../../../planner/hetzner-talos/describe-cluster.ts'
import { guardSecondCluster } from '../../../planner/hetzner-talos/guard-second-cluster.ts'
import { planApply } from '../../../planner/hetzner-talos/plan-apply.ts'
import { planUpgrade } from '../../../planner/hetzner-talos/plan-upgrade.ts'
import { recordCluster, recordLentNetwork } from '../../../planner/hetzner-talos/record-cluster.ts'
import { anchorGeneration, anchorState } from '../../../run/hetzner-talos/anchor-state.ts'
import { askAnchor } from '../../../run/hetzner-talos/ask-anchor.ts'
import { askNodes, askNodesThrough, leaveUnapproved } from '../../../run/hetzner-talos/ask-nodes.ts'
import {
  type ClusterSession,
  openSession,
  readClusterFile,
} from '../../../run/hetzner-talos/cluster-session.ts'
import { driftedNames } from '../../../run/hetzner-talos/drifted-names.ts'
import { withFactoryFindings } from '../../../run/hetzner-talos/factory-findings.ts'
import { findStateOf } from '../../../run/hetzner-talos/find-state-of.ts'
import { LazyRule } from '../../../run/hetzner-talos/lazy-rule.ts'
import { observeCluster, refuseLost } from '../../../run/hetzner-talos/observe-cluster.ts'
import { requireClock } from '../../../run/hetzner-talos/require-clock.ts'
import { requireRights } from '../../../run/hetzner-talos/require-rights.ts'
import { closeTemporaryRule, sweepRules } from '../../../run/hetzner-talos/temporary-rule.ts'
import type { ClusterLife } from '../../../run/mode/cluster-life.ts'
import type { ClusterMode } from '../../../run/mode/cluster-mode.ts'
import type { MachineProvider } from '../../../run/mode/machine-provider.ts'
import type { NodeLayer } from '../../../run/mode/node-layer.ts'
import type { RunContext } from '../../../run/run-context.ts'
import { runPhase } from '../../../run/run-phase.ts'
import { supportFindings } from '../../../spec/tables/support-windows.ts'
import { contractName } from '../../../talos/config/version-contract.ts'
import { hetznerRemoval } from './hetzner-removal.ts'
import { talosAddons } from './talos-addons.ts'
import { talosAdoption } from './talos-adoption.ts'
import { talosBackup } from './talos-backup.ts'
import { adminCredentials } from './talos-credentials.ts'
import { talosHealth } from './talos-health.ts'
import { talosKeys } from './talos-keys.ts'
import { talosRecovery } from './talos-recovery.ts'

const hetzner: MachineProvider<ClusterSession, ClusterView> = {
  name: 'Hetzner',
  unasked: { message: 'no token for Hetzner was given', fix: 'set HCLOUD_TOKEN' },
  canAsk: ({ hetznerToken }) => Boolean(hetznerToken),
  missingAccess: ({ hetznerToken }) =>
    hetznerToken ? undefined : { what: 'no token', isOptional: false },
  observe: ({ spec, store, hetzner: client }, environment) =>
    observeCluster(spec, store, client, environment),
  recordsOf: (view) => view.hetzner.records,
  recordLent: recordLentNetwork,
  requestsOf: (session) => session.hetzner.requests,
  requireWrite: ({ hetzner: client }) => requireWrite(client),
  requireClock: (context, { hetzner: client }) => requireClock(context, client),
  requireRights,
  anchor: anchorState,
  anchorGeneration,
  anchorOf: ({ hetzner: { anchor } }) => anchor,
  askAnchor,
  refuseLost,
  findStateOf,
  removeRemains,
  findRemoval: hetznerRemoval,
}

const talos: NodeLayer<ClusterSession, ClusterView> = {
  inspect: askNodes,
  access(context, session, options) {
    const rule = new LazyRule(context, session, options)
    return {
      open: (view) => rule.open(view),
      inspect: (view, asking) => askNodesThrough(rule, context, session, view, asking),
      [Symbol.asyncDispose]: () => rule[Symbol.asyncDispose](),
    }
  },
  closeOwn: closeTemporaryRule,
  closeLeftOpen: (context, session, view) => sweepRules(context, view, session),
  keepInspected: (view, { running, addons }) => ({ ...view, running, addons }),
  leaveUnapproved,
  driftedNames,
  checkPlan: withFactoryFindings,
}

const life: ClusterLife<ClusterSession, ClusterView> = {
  planApply,
  planUpgrade,
  guardBeginning: guardSecondCluster,
  fileFindings: ({ spec }, now) => supportFindings(spec, now),
  firstInventory: ({ spec }, uid) => ({
    clusterName: spec.clusterName,
    uid,
    nodes: [],
    addons: {},
    contract: contractName(spec),
    bootstrapped: false,
  }),
  carryOut,
  carryOutUpgrade: rollVersions,
  verify: verifyCluster,
  recordAll: recordCluster,
}

/** Talos Linux on Hetzner Cloud: the one place where the parts of this mode are put together. */
export const hetznerTalos: ClusterMode<ClusterSession, ClusterView> = {
  read: readClusterFile,
  open: openSession,
  machines: hetzner,
  nodes: talos,
  life,
  description: { endpoint: describeEndpoint, nodes: describeNodes },
  keys: talosKeys,
  health: talosHealth,
  backup: talosBackup,
  recovery: talosRecovery,
  adoption: talosAdoption,
  addons: talosAddons,
  credentials: adminCredentials,
}

/** Deletes the servers and keys with which a run that died was building images. The lock proves that it died. */
async function removeRemains(
  { progress }: RunContext,
  { hetzner: client, spec: { clusterName } }: ClusterSession,
  { generation, hetzner: { strays } }: ClusterView,
): Promise<void> {
  const uid = generation?.inventory.uid
  if (uid === undefined || strays.every(({ kind }) => kind === 'firewall')) return
  await runPhase(
    progress,
    'Remove what a run that died left behind',
    () => sweepBuilders(client, { clusterName, uid }),
    (removed) => removed.join(', '),
  )
}
