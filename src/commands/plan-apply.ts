import { desireAddons } from '../addons/desire.ts'
import { diffAddons } from '../addons/diff.ts'
import { observeAddons } from '../addons/observe.ts'
import { checkHetzner } from '../hetzner/check-hetzner.ts'
import { desireHetzner } from '../hetzner/desire.ts'
import { diffHetzner } from '../hetzner/diff.ts'
import { liveImages } from '../hetzner/live-images.ts'
import { orderableFrom } from '../hetzner/orderable.ts'
import type { Finding } from '../lib/finding.ts'
import type { Change } from '../plan/change.ts'
import { guardPlan } from '../plan/guard-plan.ts'
import type { InventoryNode } from '../plan/inventory.ts'
import { orderControlPlanes } from '../plan/order-control-planes.ts'
import { makePlan, type Plan, unmintedUid } from '../plan/plan.ts'
import type { ClusterRecord, RecordKind } from '../plan/record.ts'
import { clusterKubernetes } from '../plan/running-kubernetes.ts'
import { nearestName } from '../spec/nearest-name.ts'
import { supportsKubernetes } from '../spec/version-matrix.ts'
import { schematicOf } from '../talos/config/schematic.ts'
import { desireTalos } from '../talos/desire.ts'
import { diffTalos } from '../talos/diff.ts'
import { rememberedNode, talosLiveRecords } from '../talos/live-records.ts'
import { isApplied } from './applied-spec.ts'
import { chainNodeUpdates } from './chain-node-updates.ts'
import { chainReplacements } from './chain-replacements.ts'
import { compareConfigs, refuseReinstall, reportDrifts, uncompared } from './compare-configs.ts'
import { compareVersions, type VersionComparison } from './compare-versions.ts'
import type { ClusterView } from './observe-cluster.ts'
import { refuseLostSecrets } from './refuse-lost-secrets.ts'

/** The stretches of an apply that can be run by themselves, and what each of them makes. */
export const applyStages = {
  infra: [
    'image',
    'network',
    'firewall',
    'placement-group',
    'ssh-key',
    'load-balancer',
    'server',
    'secrets',
  ],
  talos: ['secrets', 'node', 'etcd', 'kubernetes', 'kubelet'],
  addons: ['addon'],
} as const satisfies Record<string, readonly RecordKind[]>
export type ApplyStage = keyof typeof applyStages

export interface ApplyPlanOptions {
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly stage?: ApplyStage | undefined
  /** Names of nodes whose servers are to be replaced although nothing differs. */
  readonly replace?: readonly string[] | undefined
}

/**
 * What an apply would do: everything in which the cluster differs from the spec, but for upgrades of
 * Talos and Kubernetes, which wait for their own verb. Pure but for `now` (milliseconds since the epoch), which
 * decides what can still be ordered.
 */
export function planApply(view: ClusterView, options: ApplyPlanOptions): Plan {
  const parts = compareCluster(view, options.replace)
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
      ...(stage === undefined ? parts.versions.findings.map(asWarning) : []),
      ...refuseReinstall(view, changes),
      ...reportDrifts(view),
      ...guardCluster(view, changes, options),
      ...guardNewNodes(view, changes),
      ...checkStage(changes, parts.changes),
      ...(stage === undefined ? [] : checkStagedControlPlanes(changes)),
      ...checkReplaced(view, options.replace),
    ],
    notes: stage === undefined || stage === 'talos' ? notesOf(view) : [],
  })
}

function notesOf(view: ClusterView): string[] {
  const note = uncompared(view)
  return note === undefined ? [] : [note]
}

/** A stage cannot stand on what another one has yet to make. */
function checkStage(changes: readonly Change[], all: readonly Change[]): Finding[] {
  const own = new Set(changes.map(({ key }) => key))
  const others = new Set(all.filter(({ key }) => !own.has(key)).map(({ key }) => key))
  const missing = new Set(changes.flatMap(({ needs }) => needs.filter((need) => others.has(need))))
  const [first] = missing
  if (first === undefined) return []
  return [
    {
      severity: 'error',
      path: [],
      message: `this stage needs ${first}${missing.size > 1 ? ` and ${missing.size - 1} more` : ''}, which another stage makes`,
      hint: 'run the stages in their order: infra, talos, addons',
    },
  ]
}

/** A member of etcd goes together with its server, and the next one waits until its successor has joined. */
function checkStagedControlPlanes(changes: readonly Change[]): Finding[] {
  const taken = changes.find(
    ({ key, action, before }) =>
      before?.spec['role'] === 'control-plane' &&
      (action === 'delete' || (action === 'replace' && key.startsWith('server/'))),
  )
  if (taken === undefined) return []
  return [
    {
      severity: 'error',
      path: ['nodes', 'controlPlane'],
      message: `${taken.action} ${taken.key} would take a member from etcd, which no stage does by itself`,
      hint: 'apply the whole of it: `hcloud-talos apply` without --stage, or the action reconcile',
    },
  ]
}

/** A name that is mistyped must not pass for a node that is as it should be. */
function checkReplaced({ nodes }: ClusterView, replace: readonly string[] = []): Finding[] {
  const names = nodes.map(({ name }) => name)
  return replace
    .filter((name) => !names.includes(name))
    .map((name) => {
      const near = nearestName(name, names)
      return {
        severity: 'error',
        path: ['nodes'],
        message: `${name}, which is to be replaced, is not a node of this cluster`,
        hint: near === undefined ? `its nodes are ${names.join(', ')}` : `is it ${near}?`,
      }
    })
}

export interface ClusterComparison {
  readonly changes: readonly Change[]
  /** What an upgrade would do, in its order. */
  readonly versions: VersionComparison
  readonly desired: readonly ClusterRecord[]
  readonly live: readonly ClusterRecord[]
  readonly findings: readonly Finding[]
}

/** Every difference between a cluster and its spec, those of an upgrade apart. Throws `state-corrupt` when its secrets are gone. */
export function compareCluster(
  view: ClusterView,
  replace: readonly string[] = [],
): ClusterComparison {
  refuseLostSecrets(view)
  const { spec, nodes, hetzner, generation } = view
  const inventory = generation?.inventory
  const uid = inventory?.uid ?? unmintedUid
  const desired = desireHetzner(spec, nodes, {
    uid,
    catalogue: hetzner.catalogue,
    schematic: schematicOf(spec),
  })
  const live = [...hetzner.records, ...liveImages(desired, hetzner)]
  const ids = serverIds(view)
  const configured = inventory?.nodes.filter((node) => node.configDigest !== undefined) ?? []
  // The server that took the place of one that was lost is not finished because the other was.
  const isThere = ({ name, serverId }: InventoryNode) => ids.get(name) === serverId
  const finished = new Set(configured.filter(isThere).map(({ name }) => name))
  const infra = diffHetzner(desired, live, { finished, replace: replacements(view, replace) })

  const replaced = new Set(infra.filter((c) => c.action === 'replace').map((c) => c.key as string))
  const wanted = new Set(nodes.map(({ name }) => name))
  // A server that is replaced comes back empty: its node is made anew.
  const staying = [...ids].filter(([name]) => !replaced.has(`server/${name}`))
  const liveTalos = {
    hasSecrets: generation?.hasSecrets ?? false,
    inventory,
    serverIds: new Map(staying),
    wanted,
  }
  const lost = configured.filter((node) => replaced.has(`server/${node.name}`) || !isThere(node))
  const lostRecords = lost.map((node) => rememberedNode(node, spec.clusterName))
  const liveRecords = talosLiveRecords(liveTalos)
  const desiredTalos = desireTalos(spec, nodes, inventory, 'running')
  const talos = compareConfigs(view, diffTalos(desiredTalos, liveRecords, lostRecords), {
    desired: desiredTalos,
    live: liveRecords,
  })
  const addons = diffAddons(desireAddons(spec, { uid }), inventory ? observeAddons(inventory) : [])
  const running = inventory?.bootstrapped ?? false
  const servers = chainReplacements(infra).map((change) => tellLost(change, lost, running))
  return {
    changes: orderControlPlanes([...servers, ...chainNodeUpdates(talos), ...addons], {
      running,
      members: configured.filter((node) => node.role === 'control-plane' && isThere(node)).length,
    }),
    versions: compareVersions(view, liveTalos),
    desired,
    live,
    findings: checkHetzner(spec, desired, hetzner),
  }
}

/** The servers that are replaced although nothing differs, by name, each with the reason. */
function replacements(view: ClusterView, asked: readonly string[]): Map<string, string> {
  const ids = serverIds(view)
  const leaving = (view.generation?.inventory.nodes ?? []).filter(
    ({ name, leavingServerId }) =>
      leavingServerId !== undefined && leavingServerId === ids.get(name),
  )
  return new Map([
    ...leaving.map(({ name }) => [name, 'it has left etcd, or was about to'] as const),
    ...asked.map((name) => [name, 'its replacement was asked for'] as const),
  ])
}

/** Of a server that was there and is gone, the plan says so, and what it cost. */
function tellLost(change: Change, lost: readonly InventoryNode[], running: boolean): Change {
  const { action, after } = change
  if (action !== 'create' || after?.kind !== 'server') return change
  if (!lost.some(({ name }) => name === after.name)) return change
  const isMember = running && after.spec['role'] === 'control-plane'
  return {
    ...change,
    reason: 'the server that was there is gone',
    risk: isMember ? 'quorum' : change.risk,
  }
}

export function guardCluster(
  view: ClusterView,
  changes: readonly Change[],
  { now, replace = [] }: ApplyPlanOptions,
): Finding[] {
  const { spec, generation, hetzner } = view
  const ids = serverIds(view)
  const members = (generation?.inventory.nodes ?? [])
    .filter(({ role, configDigest }) => role === 'control-plane' && configDigest !== undefined)
    .map(({ name, serverId }) => ({ name, serverGone: ids.get(name) !== serverId }))
  return guardPlan(spec, changes, {
    orderable: orderableFrom(hetzner.catalogue, now),
    etcd: {
      bootstrapped: generation?.inventory.bootstrapped ?? false,
      members,
      fileIsApplied: isApplied(spec, generation),
      asked: new Set(replacements(view, replace).keys()),
    },
  })
}

/** An apply goes on all the same: what would stand in the way of the upgrade that waits is said early. */
function asWarning(finding: Finding): Finding {
  return { ...finding, severity: 'warning' }
}

/** New nodes get the file's Talos at once, and the Kubernetes that the cluster runs. */
function guardNewNodes({ spec, generation }: ClusterView, changes: readonly Change[]): Finding[] {
  const running = clusterKubernetes(generation?.inventory)
  const makesNodes = changes.some(
    ({ action, after }) => action === 'create' && after?.kind === 'node',
  )
  if (!makesNodes || running === undefined) return []
  if (supportsKubernetes(spec.talos.version, running)) return []
  return [
    {
      severity: 'error',
      path: ['talos', 'version'],
      message: `new nodes would run Talos ${spec.talos.version}, which does not run the Kubernetes ${running} of this cluster`,
      hint: 'upgrade the cluster first (`hcloud-talos upgrade`), then apply',
    },
  ]
}

/** Snapshots are shared by clusters, so their price is none's. */
export function isOwn({ kind }: ClusterRecord): boolean {
  return kind !== 'image'
}

function isOfStage({ after, before }: Change, stage: ApplyStage): boolean {
  const kinds: readonly RecordKind[] = applyStages[stage]
  const record = after ?? before
  return record !== undefined && kinds.includes(record.kind)
}

/** The ids of the servers that exist, by name. */
export function serverIds({ hetzner, nodes, generation }: ClusterView): Map<string, number> {
  const names = [
    ...nodes.map((node) => node.name),
    ...(generation?.inventory.nodes.map((node) => node.name) ?? []),
  ]
  return new Map(
    names.flatMap((name) => {
      const id = hetzner.ids.get(`server/${name}`)
      return id === undefined ? [] : [[name, id] as const]
    }),
  )
}
