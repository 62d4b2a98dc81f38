import { desireAddons } from '../../addons/desire.ts'
import { diffAddons } from '../../addons/diff.ts'
import { observeAddons } from '../../addons/observe.ts'
import { checkHetzner } from '../../hetzner/check-hetzner.ts'
import { desireHetzner } from '../../hetzner/desire.ts'
import { diffHetzner } from '../../hetzner/diff.ts'
import type { SettledDrift } from '../../hetzner/drift.ts'
import { sharedRecords } from '../../hetzner/find-resources.ts'
import { isShared } from '../../hetzner/kinds/hetzner-kinds.ts'
import { placeNodes } from '../../hetzner/place-nodes.ts'
import type { Finding } from '../../lib/finding.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { Change } from '../../plan/change.ts'
import type { InventoryNode } from '../../plan/inventory.ts'
import { orderControlPlanes } from '../../plan/order-control-planes.ts'
import { unmintedUid } from '../../plan/plan.ts'
import type { ClusterRecord } from '../../plan/record.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import { sealingOf } from '../../store/files/sealing.ts'
import type { Generation } from '../../store/generation.ts'
import { schematicOf } from '../../talos/config/schematic.ts'
import { desireTalos } from '../../talos/desire.ts'
import { diffTalos } from '../../talos/diff.ts'
import { rememberedNode } from '../../talos/kinds/node/node-kind.ts'
import { desiredSecrets, liveSecrets } from '../../talos/kinds/secrets/secrets-record.ts'
import { talosLiveRecords } from '../../talos/live-records.ts'
import { chainNodeUpdates } from '../chain-node-updates.ts'
import { chainReplacements } from '../chain-replacements.ts'
import { compareAddons } from '../compare-addons.ts'
import { refuseLostSecrets } from '../refuse-lost-secrets.ts'
import { addonsOf } from './addons-of.ts'
import type { ClusterView } from './cluster-view.ts'
import { compareConfigs } from './compare-configs.ts'
import { compareDrift, reportKept } from './compare-drift.ts'
import { compareVersions, type VersionComparison } from './compare-versions.ts'
import { renewAuthorities } from './renew-authorities.ts'

export interface ClusterComparison {
  readonly changes: readonly Change[]
  /** What an upgrade would do, in its order. */
  readonly versions: VersionComparison
  readonly desired: readonly ClusterRecord[]
  readonly live: readonly ClusterRecord[]
  readonly findings: readonly Finding[]
}

/**
 * Every difference between a cluster and its spec, those of an upgrade apart; with `now` (milliseconds) what of it must
 * be renewed, too. Throws `state-corrupt` when its secrets are gone.
 */
export function compareCluster(
  view: ClusterView,
  replace: readonly string[] = [],
  now?: number,
): ClusterComparison {
  refuseLostSecrets(view)
  const { spec, nodes, generation } = view
  const inventory = generation?.inventory
  const uid = inventory?.uid ?? unmintedUid
  const ids = serverIds(view)
  const configured = inventory?.nodes.filter((node) => node.configDigest !== undefined) ?? []
  // The server that took the place of one that was lost is not finished because the other was.
  const isThere = ({ name, serverId }: InventoryNode) => ids.get(name) === serverId
  const finished = new Set(configured.filter(isThere).map(({ name }) => name))
  const { desired, live, drift, infra } = compareHetzner(view, {
    uid,
    finished,
    replaces: replacements(view, replace),
  })
  const replaced = new Set(infra.filter((c) => c.action === 'replace').map((c) => c.key as string))
  const wanted = new Set(nodes.map(({ name }) => name))
  // A server that is replaced comes back empty: its node is recreated.
  const staying = [...ids].filter(([name]) => !replaced.has(`server/${name}`))
  const liveTalos = {
    secrets: generation && keptSecrets(spec, generation),
    inventory,
    serverIds: new Map(staying),
    wanted,
  }
  const lost = configured.filter((node) => replaced.has(`server/${node.name}`) || !isThere(node))
  const lostRecords = lost.map((node) => rememberedNode(node, spec.clusterName))
  const liveRecords = talosLiveRecords(liveTalos)
  const desiredTalos = desireTalos(spec, nodes, inventory, 'running')
  const records = { desired: desiredTalos, live: liveRecords }
  const configs = compareConfigs(view, diffTalos(desiredTalos, liveRecords, lostRecords), records)
  const talos = now === undefined ? configs : renewAuthorities(view, configs, records, now)
  const addonRecords = {
    desired: desireAddons(spec, { uid }, addonsOf),
    live: inventory ? observeAddons(inventory) : [],
  }
  const addons = compareAddons(
    view,
    diffAddons(addonRecords.desired, addonRecords.live),
    addonRecords,
  )
  const running = inventory?.bootstrapped ?? false
  const servers = chainReplacements(infra).map((change) => explainLost(change, lost, running))
  return {
    changes: orderControlPlanes(
      [...chainNodeUpdates([...servers, ...talos], spec.upgrade.maxUnavailable), ...addons],
      {
        running,
        members: configured.filter((node) => node.role === 'control-plane' && isThere(node)).length,
      },
    ),
    versions: compareVersions(view, liveTalos),
    desired,
    live,
    findings: [...checkHetzner(spec, desired, view.hetzner), ...reportKept(drift.kept, view)],
  }
}

interface HetznerComparison {
  readonly desired: readonly ClusterRecord[]
  readonly live: readonly ClusterRecord[]
  readonly drift: SettledDrift
  readonly infra: readonly Change[]
}

/** A server that is replaced, for whatever reason, goes where the file puts its slot. */
function compareHetzner(
  view: ClusterView,
  parts: {
    readonly uid: string
    readonly finished: ReadonlySet<string>
    readonly replaces: ReadonlyMap<string, string>
  },
  made: ReadonlySet<string> = new Set(parts.replaces.keys()),
): HetznerComparison {
  const { spec, hetzner } = view
  const { uid, finished, replaces } = parts
  const desired = desireHetzner(spec, placeNodes(spec, view.nodes, hetzner.records, made), {
    uid,
    catalogue: hetzner.catalogue,
    schematic: schematicOf(spec),
  })
  const live = [...hetzner.records, ...sharedRecords(desired, hetzner)]
  const drift = compareDrift(view, desired, live, new Set(replaces.keys()))
  const infra = diffHetzner(drift.desired, drift.live, {
    finished,
    replace: replaces,
    byHand: drift.byHand,
  })
  const others = infra.flatMap(({ action, after }) =>
    action === 'replace' && after && !made.has(after.name) ? [after.name] : [],
  )
  if (others.length === 0) return { desired, live, drift, infra }
  return compareHetzner(view, parts, new Set([...made, ...others]))
}

function isOneKind(recipients: readonly string[]): boolean {
  return new Set(recipients.map((recipient) => recipient.startsWith('age1pq1'))).size <= 1
}

/** How the state keeps the cluster's secrets, without a key. */
function keptSecrets({ state }: ClusterSpec, generation: Generation): JsonObject | undefined {
  const sealing = sealingOf(generation)
  // Recipients of two kinds do not stand in one file: until `rotate` encrypts it for the new kind, it stays as it is.
  const isPending = generation.manifest.keyEpoch < state.signers.length
  if (isPending && sealing && !isOneKind([...sealing.readers, ...state.recipients])) {
    return desiredSecrets(state)
  }
  const named = generation.inventory.recipients ?? []
  return sealing && liveSecrets({ ...sealing, named }, state)
}

/** The servers that are replaced although nothing differs, by name, each with the reason. */
export function replacements(view: ClusterView, asked: readonly string[]): Map<string, string> {
  const ids = serverIds(view)
  const leaving = (view.generation?.inventory.nodes ?? []).filter(
    ({ name, leavingServerId }) =>
      leavingServerId !== undefined && leavingServerId === ids.get(name),
  )
  return new Map([
    ...leaving.map(({ name, role }) => {
      const left =
        role === 'control-plane' ? 'it has left etcd, or was about to' : 'its removal was started'
      return [name, left] as const
    }),
    ...asked.map((name) => [name, 'its replacement was asked for'] as const),
  ])
}

/** Of a server that was there and is gone, the plan says so, and what it cost. */
function explainLost(change: Change, lost: readonly InventoryNode[], running: boolean): Change {
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

/** What clusters share has a price that is none's. */
export function isOwn(record: ClusterRecord): boolean {
  return !isShared(record)
}
