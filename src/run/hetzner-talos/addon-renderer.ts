import { createChartSource } from '../../addons/chart-source.ts'
import { locateHelm } from '../../addons/helm-binary.ts'
import { type ChartRenderer, createChartRenderer } from '../../addons/render-chart.ts'
import { isJsonObject, type JsonObject } from '../../lib/json.ts'
import { fillReferences, hasMarker, type NamedSecrets } from '../../spec/secret-reference.ts'
import { valueIn } from '../../talos/config/named-secrets.ts'
import type { RunContext } from '../run-context.ts'

/**
 * Renders charts as this run does: where they come from, with which helm, and with which secrets. Fetches and reads
 * nothing yet.
 */
export function addonRenderer(
  context: RunContext,
  namedSecrets: () => Promise<NamedSecrets>,
): ChartRenderer {
  const { clock, random, signal, endpoints, cacheFolder } = context
  const downloads = { clock, random, signal, cacheDirectory: cacheFolder }
  const charts = createChartSource({
    ...downloads,
    mirror: endpoints.charts,
    digests: endpoints.chartDigests,
  })
  const machine = { platform: process.platform, arch: process.arch }
  const helm = () => locateHelm({ ...downloads, ...machine, path: context.helm })
  const fill = async (values: JsonObject) => {
    if (!hasMarker(values)) return values
    const filled = fillReferences(values, valueIn(await namedSecrets()))
    return isJsonObject(filled) ? filled : values
  }
  return createChartRenderer({ charts, helm, fill, redactor: context.redactor, signal })
}
