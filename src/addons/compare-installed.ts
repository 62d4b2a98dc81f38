import type { AddonCluster } from '../lib/addon-cluster.ts'
import type { ObjectSet, SetDrift } from '../lib/object-set.ts'
import type { Inventory } from '../plan/inventory.ts'
import type { ClusterSpec } from '../spec/cluster-spec.ts'
import type { AddonFacts } from './addon.ts'
import { releaseOf } from './addon-release.ts'
import { type AddonTable, addonsOf, enabledAddons } from './catalogue.ts'
import { namespaceSet } from './namespace-set.ts'
import { refuseConflicts } from './refuse-conflicts.ts'
import { removalOrder } from './removal-order.ts'
import type { AddonRenderer } from './render-addon.ts'
import { renderWanted } from './render-wanted.ts'

/** An addon as the file wants it beside what the cluster has of it. */
export interface ComparedAddon {
  readonly name: string
  /** The version that the file asks for; undefined for one that is to go. */
  readonly wanted: string | undefined
  /** The version that was applied; undefined for one that never was. */
  readonly installed: string | undefined
  /** What an apply would do with its objects and with its namespace; nothing where all is as the file wants it. */
  readonly drifts: readonly SetDrift[]
}

/**
 * What an apply would do with each addon of a file and with those that it has no more, by objects: found by applying
 * them as a dry run, so that nothing is changed. Throws `helm-failed`, `addon-failed`.
 */
export async function compareInstalled(
  spec: ClusterSpec,
  facts: AddonFacts,
  {
    cluster,
    renderer,
    recorded,
    addons = addonsOf(spec),
  }: {
    readonly cluster: AddonCluster
    readonly renderer: AddonRenderer
    /** What was applied last. */
    readonly recorded: Inventory['addons']
    readonly addons?: AddonTable
  },
): Promise<ComparedAddon[]> {
  const capabilities = await cluster.capabilities()
  const releases = enabledAddons(spec, addons).map((addon) => releaseOf(addon, spec, facts))
  const { sets, namespaces } = await renderWanted(releases, { renderer, capabilities, recorded })
  refuseConflicts(sets.values())
  const compared: ComparedAddon[] = []
  const seen = new Set<string>()
  for (const { addon, version } of releases) {
    const { name, namespace } = addon
    const metadata = seen.has(namespace) ? undefined : namespaces.get(namespace)
    seen.add(namespace)
    const wanted = [
      ...(metadata ? [namespaceSet(namespace, metadata)] : []),
      sets.get(name) ?? emptySet(name),
    ]
    const drifts: SetDrift[] = []
    for (const set of wanted) drifts.push(...(await cluster.setDrift(set)))
    compared.push({ name, wanted: version, installed: recorded[name]?.version, drifts })
  }
  const unwanted = removalOrder(recorded, Object.keys(addons)).filter((name) => !sets.has(name))
  for (const name of unwanted) {
    const drifts = await cluster.setDrift(emptySet(name))
    compared.push({ name, wanted: undefined, installed: recorded[name]?.version, drifts })
  }
  return compared
}

/** What is left of a set of which nothing is wanted. */
function emptySet(name: string): ObjectSet {
  return { name, namespace: 'default', objects: [], hooks: { before: [], after: [] } }
}
