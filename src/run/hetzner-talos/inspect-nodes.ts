import { isClusterError } from '../../lib/cluster-error.ts'
import { createLimit } from '../../lib/limit.ts'
import type { ClusterNode } from '../../plan/cluster-node.ts'
import { hidden } from '../../plan/config-secrets.ts'
import type { InventoryNode } from '../../plan/inventory.ts'
import type { ClusterView, RunningConfigs } from '../../planner/hetzner-talos/cluster-view.ts'
import { configuredNodes } from '../../planner/hetzner-talos/cluster-view.ts'
import type { NamedSecrets } from '../../spec/secret-reference.ts'
import type { StateStore } from '../../store/state-store.ts'
import { talosApi } from '../../talos/api/talos-api.ts'
import { TalosClient } from '../../talos/api/talos-client.ts'
import { takenUpBy } from '../../talos/config/change-effect.ts'
import { isComponentImage } from '../../talos/config/component-images.ts'
import type { ConfigDifference } from '../../talos/config/diff-configs.ts'
import {
  fillConfig,
  namesAt,
  type ReferringFields,
  referringFields,
  withoutFilled,
} from '../../talos/config/named-secrets.ts'
import { isInMaintenance } from '../../talos/is-in-maintenance.ts'
import {
  diffRunningConfig,
  type RunningConfig,
  readRunningConfig,
} from '../../talos/running-config.ts'
import type { RunContext } from '../run-context.ts'
import { runPhase } from '../run-phase.ts'
import { ClusterReach } from './cluster-reach.ts'
import { findUnregistered } from './find-unregistered.ts'
import { wantedConfig } from './wanted-config.ts'

/** How many nodes are asked at once, and how long one of them may take, in milliseconds. */
const atOnce = 64
const answerWithinMs = 5_000

/**
 * Asks every configured node for the machine config that it runs, and compares it with the one that it was
 * given. Changes nothing, opens no firewall. A node that cannot be asked within seconds is told as such, never
 * taken for one that runs ours, or none. Throws what reading the cluster's secrets throws.
 */
export async function inspectNodes(
  context: RunContext,
  store: StateStore,
  view: ClusterView,
): Promise<RunningConfigs> {
  using reach = new ClusterReach(context, store, view)
  const nodes = configuredNodes(view)
  const { signal } = context
  const drifts = new Map<string, readonly ConfigDifference[]>()
  const unread = new Map<string, string>()
  const maintenance = new Set<string>()
  const limit = createLimit(atOnce)
  const inspect = async (node: ClusterNode) => {
    try {
      const differences = await inspectNode(node, { context, store, view, reach })
      if (differences) drifts.set(node.name, differences)
      else unread.set(node.name, 'it shows no machine config')
    } catch (error) {
      if (!isClusterError(error, ...unknownCodes)) throw error
      const { address } = reach.addresses.of(node.name)
      const isEmpty = await isInMaintenance(address, { timeoutMs: answerWithinMs, signal })
      if (isEmpty) maintenance.add(node.name)
      unread.set(node.name, isEmpty ? 'it is in maintenance' : error.message)
    }
  }
  await runPhase(
    context.progress,
    'Compare what the nodes run',
    () => Promise.all(nodes.map((node) => limit(() => inspect(node)))),
    () => `${drifts.size} of ${nodes.length} nodes compared`,
  )
  const { bootstrapped = false } = view.generation?.inventory ?? {}
  const registered = bootstrapped
    ? await findUnregistered(reach, nodes, signal)
    : { unregistered: new Set<string>(), versions: new Map(), cordoned: new Map() }
  const alarms = bootstrapped ? await reach.etcdAlarms() : []
  return { drifts, unread, maintenance, ...registered, alarms }
}

const unknownCodes = [
  'talos-unreachable',
  'talos-identity',
  'talos-refused',
  'certificate-ended',
  'clock-wrong',
  'secret-missing',
] as const

interface Inspection {
  readonly context: RunContext
  readonly store: StateStore
  readonly view: ClusterView
  readonly reach: ClusterReach
}

async function inspectNode(
  node: ClusterNode,
  { context, store, view, reach }: Inspection,
): Promise<readonly ConfigDifference[] | undefined> {
  const access = await reach.access()
  const { address } = reach.addresses.of(node.name)
  const { signal } = context
  const credentials = await access.credentials()
  using client = new TalosClient({ address, credentials, signal, timeoutMs: answerWithinMs })
  const running = await readRunningConfig(talosApi(client))
  if (running === undefined) return undefined
  const known = inventoryNode(view, node.name)
  const { text: desired, documents, spec, named } = await wantedConfig(view, node, reach)
  const all = diffRunningConfig(running, desired)
  if (all.length === 0) return []
  const given = await store.readNodeConfig(node.name)
  const referring = referringFields(documents, given)
  // A version that is written down before the node gets it is the upgrade's, which continues with it.
  const isArriving = (field: string) => known?.arriving !== undefined && isComponentImage(field)
  // A secret that was set again is on its way to the node, and one that is referred to no more on its way off it.
  const isRenewed = (field: string) =>
    namesAt(referring, field).some(
      (name) => known?.secretVersions?.[name] !== spec.secretVersions?.[name],
    )
  const isByHand = ({ path }: ConfigDifference) => !isArriving(path) && !isRenewed(path)
  const differences = all.filter(isByHand).map((difference) => withoutFilled(difference, referring))
  if (differences.length === 0) return []
  // What the file changes is not done by hand: the node runs what it was last given.
  const isAsGiven =
    given !== undefined && !diffFromGiven(running, given, { referring, named }).some(isByHand)
  return isAsGiven ? [] : takenUpBy(node.role, differences)
}

/** How a node differs from what it was last given; what refers to secrets that are gone cannot be compared. */
function diffFromGiven(
  running: RunningConfig,
  given: string,
  { referring, named }: { readonly referring: ReferringFields; readonly named: NamedSecrets },
): ConfigDifference[] {
  const gone = new Map(
    [...referring.given.keys()]
      .flatMap((field) => namesAt(referring, field))
      .filter((name) => !named.has(name))
      .map((name) => [name, hidden]),
  )
  const filled = fillConfig(given, new Map([...named, ...gone]))
  return diffRunningConfig(running, filled).filter(
    ({ path }) => !namesAt(referring, path).some((name) => gone.has(name)),
  )
}

function inventoryNode({ generation }: ClusterView, name: string): InventoryNode | undefined {
  return generation?.inventory.nodes.find((node) => node.name === name)
}
