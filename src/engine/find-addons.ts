import { type AddonRelease, releaseOf } from '../addons/addon-release.ts'
import { type AddonsOf, enabledAddons } from '../addons/catalogue.ts'
import { findAddonDrift } from '../addons/find-drift.ts'
import { recordOf, unknownVersion } from '../addons/render-releases.ts'
import { createAddonCluster } from '../kubernetes/addon-cluster.ts'
import type { KubernetesClient } from '../kubernetes/kubernetes-client.ts'
import { inventoriedSets } from '../kubernetes/set-inventory.ts'
import type { Inventory, InventoryAddon } from '../plan/inventory.ts'
import { addonRenderer } from '../run/addon-renderer.ts'
import { givenSecrets } from '../run/named-secrets.ts'
import type { RunContext } from '../run/run-context.ts'
import type { CommonSpec } from '../spec/common-spec.ts'
import { referencesIn, referencesInJson } from '../spec/secret-reference.ts'
import { isReservedSetName } from '../spec/tables/addon-names.ts'

export interface FindAddonsInput<Spec extends CommonSpec> {
  readonly spec: Spec
  readonly uid: string
  readonly addonsOf: AddonsOf<Spec>
  readonly kubernetes: KubernetesClient
}

/**
 * Which addons a cluster of any mode has, found by looking: one that is there just as the file asks for it counts as
 * applied, one that differs does not, and the next apply installs it over what is there. Changes nothing.
 */
export async function findAddons<Spec extends CommonSpec>(
  context: RunContext,
  { spec, uid, addonsOf, kubernetes }: FindAddonsInput<Spec>,
): Promise<Inventory['addons']> {
  const { clock, signal } = context
  const cluster = createAddonCluster(kubernetes, { clock, signal })
  // What a secret is that nobody has given is not known, nor then what the addon is like.
  const given = givenSecrets(context, spec)
  const renderer = addonRenderer(context, async () => given)
  const releases = enabledAddons(spec, addonsOf).map((addon) => releaseOf(addon, spec, { uid }))
  const known = releases.filter((release) => secretsOf(release).every((name) => given.has(name)))
  const only = new Set(known.map(({ addon }) => addon.name))
  const looked = { addonsOf, cluster, renderer, only, recorded: {} }
  const drifted = await findAddonDrift(spec, { uid }, looked)
  const differing = new Set(drifted.map(({ addon }) => addon))
  const same = known.filter(({ addon }) => !differing.has(addon.name))
  const wanted = new Set(releases.map(({ addon }) => addon.name))
  // Those that come with the product, whether the file asks for them or not; the file brings the others.
  const own = Object.entries(addonsOf(spec)).flatMap(([name, addon]) =>
    'custom' in addon ? [] : [name],
  )
  return Object.fromEntries([
    ...same.map((release) => [release.addon.name, recordOf(release, undefined)] as const),
    ...(await unwantedAddons(kubernetes, wanted, own)),
  ])
}

/** What is there and not wanted: the next apply removes it. */
async function unwantedAddons(
  client: KubernetesClient,
  wanted: ReadonlySet<string>,
  own: readonly string[],
): Promise<(readonly [string, InventoryAddon])[]> {
  const names = (await inventoriedSets(client)).filter(
    (name) => !wanted.has(name) && !isReservedSetName(name),
  )
  return names.map((name) => [
    name,
    {
      version: unknownVersion,
      digest: 'unknown',
      // What a file has brought is known by this; what it needed, nobody knows any more.
      ...(!own.includes(name) && { needs: [] }),
    },
  ])
}

/** Names of the secrets that an addon is made with. */
function secretsOf({ content, values }: AddonRelease): string[] {
  const found =
    content.type === 'chart' ? referencesInJson(values) : content.inline.flatMap(referencesIn)
  return found.map(({ name }) => name)
}
