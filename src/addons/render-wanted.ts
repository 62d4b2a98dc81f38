import type { Inventory } from '../plan/inventory.ts'
import type { AddonRelease } from './addon-release.ts'
import type { AddonRenderer, Capabilities, RenderedAddon } from './render-addon.ts'
import { renderReleases } from './render-releases.ts'
import { type AddonNamespaces, sortNamespaces } from './sort-namespaces.ts'

/** What the addons of a cluster consist of: the objects of each, and the namespaces that they are in. */
export interface WantedAddons {
  /** By the name of the addon. */
  readonly sets: ReadonlyMap<string, RenderedAddon>
  readonly namespaces: AddonNamespaces
}

/**
 * Renders addons, all of a cluster's or some. Throws `helm-failed` and `addon-failed`.
 *
 * @param releases all that the cluster has: what is not rendered still has its namespace
 */
export async function renderWanted(
  releases: readonly AddonRelease[],
  {
    rendered: some = releases,
    ...options
  }: {
    readonly rendered?: readonly AddonRelease[]
    readonly renderer: AddonRenderer
    readonly capabilities: Capabilities
    readonly recorded: Inventory['addons']
  },
): Promise<WantedAddons> {
  const rendered = await renderReleases(some, options)
  return sortNamespaces(
    releases.map(({ addon }) => addon),
    rendered,
  )
}
