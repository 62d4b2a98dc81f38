import type { AddonCluster } from '../lib/addon-cluster.ts'
import { type ObjectRef, refOf } from '../lib/kubernetes-object.ts'
import type { ObjectSet, SetDrift } from '../lib/object-set.ts'
import type { Inventory, InventoryAddon } from '../plan/inventory.ts'
import type { CommonSpec } from '../spec/common-spec.ts'
import type { AddonFacts } from './addon.ts'
import { releaseOf } from './addon-release.ts'
import { type AddonsOf, enabledAddons } from './catalogue.ts'
import { namespaceSet } from './namespace-set.ts'
import { refuseConflicts } from './refuse-conflicts.ts'
import { removalOrder } from './removal-order.ts'
import type { AddonRenderer } from './render-addon.ts'
import { unfinished, unknownVersion } from './render-releases.ts'
import { renderWanted } from './render-wanted.ts'

/** An addon as the file wants it beside what the cluster has of it. */
export interface ComparedAddon {
  readonly name: string
  /** The version that the file asks for; undefined for one that is to go. */
  readonly wanted: string | undefined
  /** The version that was applied; undefined for one of which that is not known, or that never was. */
  readonly installed: string | undefined
  /** Whether the file asks for another version or other values than were applied, or an apply of it did not end. */
  readonly isDue: boolean
  /** Where its objects and its namespace differ from what the file wants. */
  readonly drifts: readonly SetDrift[]
  /** Whether an apply leaves these differences where they are, since they were made by hand and the policy says so. */
  readonly isLeft: boolean
  /** Hooks of one that is due: an apply runs them where they are other than those that were run last. */
  readonly hooks: readonly ObjectRef[]
}

/**
 * What an apply would do with the addons of a file and with those that it has no more, by objects: found by applying
 * them as a dry run, so that nothing is changed. Throws `helm-failed`, `addon-failed`.
 */
export async function compareInstalled<Spec extends CommonSpec>(
  spec: Spec,
  facts: AddonFacts,
  {
    cluster,
    renderer,
    recorded,
    chosen = () => true,
    addonsOf,
  }: {
    readonly cluster: AddonCluster
    readonly renderer: AddonRenderer
    /** What was applied last. */
    readonly recorded: Inventory['addons']
    /** Which of them are compared; all are rendered, since a chart may ask for what another one brings. */
    readonly chosen?: (name: string) => boolean
    readonly addonsOf: AddonsOf<Spec>
  },
): Promise<ComparedAddon[]> {
  const capabilities = await cluster.capabilities()
  const releases = enabledAddons(spec, addonsOf).map((addon) => releaseOf(addon, spec, facts))
  const { sets, namespaces } = await renderWanted(releases, { renderer, capabilities, recorded })
  refuseConflicts(sets.values())
  const compared: ComparedAddon[] = []
  const seen = new Set<string>()
  for (const { addon, version, digest } of releases.filter(({ addon: { name } }) => chosen(name))) {
    const { name, namespace } = addon
    const metadata = seen.has(namespace) ? undefined : namespaces.get(namespace)
    seen.add(namespace)
    const set = sets.get(name) ?? emptySet(name)
    const drifts: SetDrift[] = []
    for (const one of metadata ? [namespaceSet(namespace, metadata), set] : [set])
      drifts.push(...(await cluster.setDrift(one)))
    const record = recorded[name]
    const isDue = record?.digest !== digest || record.begun !== undefined
    const isLeft = !isDue && drifts.length > 0 && spec.policy.onAddonDrift === 'report'
    const hooks = isDue ? [...set.hooks.before, ...set.hooks.after].map(refOf) : []
    compared.push({ name, wanted: version, ...installedOf(record), isDue, drifts, isLeft, hooks })
  }
  const unwanted = removalOrder(recorded, Object.keys(addonsOf(spec))).filter(
    (name) => !sets.has(name) && chosen(name),
  )
  for (const name of unwanted) {
    const drifts = await cluster.setDrift(emptySet(name))
    const gone = { wanted: undefined, isDue: true, isLeft: false, hooks: [] }
    compared.push({ name, ...gone, ...installedOf(recorded[name]), drifts })
  }
  return compared
}

function installedOf(record: InventoryAddon | undefined): Pick<ComparedAddon, 'installed'> {
  const isKnown = record !== undefined && ![unfinished, unknownVersion].includes(record.version)
  return { installed: isKnown ? record.version : undefined }
}

/** What is left of a set of which nothing is wanted. */
function emptySet(name: string): ObjectSet {
  return { name, namespace: 'default', objects: [], hooks: { before: [], after: [] } }
}
