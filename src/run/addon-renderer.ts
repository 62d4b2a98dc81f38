import { createChartSource } from '../addons/chart-source.ts'
import { locateHelm } from '../addons/helm-binary.ts'
import { createManifestSource } from '../addons/manifest-source.ts'
import { type AddonRenderer, createAddonRenderer } from '../addons/render-addon.ts'
import type { Json } from '../lib/json.ts'
import { fillReferences, hasMarker, type NamedSecrets } from '../spec/secret-reference.ts'
import { valueIn } from '../spec/value-of-secret.ts'
import type { RunContext } from './run-context.ts'

/**
 * Renders addons as this run does: where they come from, with which helm, and with which secrets. Fetches and reads
 * nothing yet.
 *
 * @param namedSecrets what references to secrets are filled with; without it they stay as they are
 */
export function addonRenderer(
  context: RunContext,
  namedSecrets: (() => Promise<NamedSecrets>) | undefined,
): AddonRenderer {
  const { clock, random, signal, endpoints, cacheFolder } = context
  const downloads = { clock, random, signal, cacheDirectory: cacheFolder }
  const charts = createChartSource({
    ...downloads,
    mirror: endpoints.charts,
    digests: endpoints.chartDigests,
  })
  const machine = { platform: process.platform, arch: process.arch }
  const helm = () => locateHelm({ ...downloads, ...machine, path: context.helm })
  const fill =
    namedSecrets &&
    (async (value: Json) =>
      hasMarker(value) ? fillReferences(value, valueIn(await namedSecrets())) : value)
  const manifests = createManifestSource(downloads)
  return createAddonRenderer({ charts, manifests, helm, fill, redactor: context.redactor, signal })
}
