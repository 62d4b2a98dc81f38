import { createLimit } from '../lib/limit.ts'
import type { Inventory, InventoryAddon } from '../plan/inventory.ts'
import type { AddonRelease } from './addon-release.ts'
import { crdVersions } from './crd-versions.ts'
import type { AddonRenderer, Capabilities, RenderedAddon } from './render-addon.ts'

/** How many charts are rendered at once. */
const concurrency = 2

/**
 * Renders releases, in their order, as the cluster will be once all of them are there: a chart may ask for kinds that
 * another one brings. Charts whose SHA-256 nobody named must be those that were installed before.
 */
export async function renderReleases(
  releases: readonly AddonRelease[],
  {
    renderer,
    capabilities,
    recorded,
  }: {
    readonly renderer: AddonRenderer
    readonly capabilities: Capabilities
    readonly recorded: Inventory['addons']
  },
): Promise<ReadonlyMap<string, RenderedAddon>> {
  const limit = createLimit(concurrency)
  const sets = new Map<string, RenderedAddon>()
  const withCrds = () => ({
    ...capabilities,
    apiVersions: union(capabilities.apiVersions, [...sets.values()].flatMap(crdsOf)),
  })
  const render = async (some: readonly AddonRelease[]) => {
    const known = withCrds()
    const rendered = await Promise.all(
      some.map((release) => limit(() => renderer.render(pinned(release, recorded), known))),
    )
    for (const set of rendered) sets.set(set.name, set)
    return known.apiVersions.length
  }
  const seen = new Map<string, number>()
  const waves = [...new Set(releases.map(({ addon }) => addon.wave))].sort((a, b) => a - b)
  for (const wave of waves) {
    const some = releases.filter(({ addon }) => addon.wave === wave)
    const count = await render(some)
    for (const { addon } of some) seen.set(addon.name, count)
  }
  const all = withCrds().apiVersions.length
  await render(
    releases.filter(
      ({ addon, content }) => content.type === 'chart' && (seen.get(addon.name) ?? 0) < all,
    ),
  )
  return sets
}

function crdsOf({ objects, hooks }: RenderedAddon): string[] {
  return crdVersions([...objects, ...hooks.before])
}

function union(some: readonly string[], others: readonly string[]): string[] {
  return [...new Set([...some, ...others])]
}

/** A release whose chart must be the one that was installed before, where it comes from the same source. */
function pinned(release: AddonRelease, recorded: Inventory['addons']): AddonRelease {
  const { addon, content } = release
  const { archive, begun } = recorded[addon.name] ?? {}
  if (content.type !== 'chart' || content.sha256 !== undefined) return release
  const known = [archive, begun?.archive].find((one) => one?.source === chartSourceOf(content))
  return known ? { ...release, content: { ...content, sha256: known.sha256 } } : release
}

/** Where a chart comes from and which version it is, in one text. */
function chartSourceOf({
  repository,
  chart,
  version,
}: Pick<
  Extract<AddonRelease['content'], { type: 'chart' }>,
  'repository' | 'chart' | 'version'
>): string {
  return `${repository}/${chart} ${version}`
}

/** What the state knows of an addon that was started and never ended well, in the place of a version and a digest. */
export const unfinished = 'unfinished'

/** What it knows of one that was found in a cluster whose state was lost. */
export const unknownVersion = 'unknown'

/**
 * What the state keeps of an addon before any of it is applied: a run that fails or is killed leaves nothing that the
 * next plan does not know, and the same archive counts from then on. What was applied before stays what was applied.
 */
export function startedRecord(
  release: AddonRelease,
  set: RenderedAddon | undefined,
  former: InventoryAddon | undefined,
): InventoryAddon {
  const record = recordOf(release, set)
  if (!former) return { ...record, version: unfinished, digest: unfinished }
  if (former.digest === record.digest) return former
  const { digest, archive, needs } = record
  return { ...former, ...(needs && { needs }), begun: { digest, ...(archive && { archive }) } }
}

/** What the state keeps of an addon that was applied. */
export function recordOf(
  { addon, version, content, digest }: AddonRelease,
  set: RenderedAddon | undefined,
): InventoryAddon {
  if (!('custom' in addon)) return { version, digest }
  const sha256 = content.type === 'chart' ? set?.sha256 : undefined
  return {
    version,
    digest,
    needs: addon.needs,
    ...(content.type === 'chart' &&
      sha256 !== undefined && { archive: { source: chartSourceOf(content), sha256 } }),
  }
}
