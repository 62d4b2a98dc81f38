import { createChartSource } from '../addons/chart-source.ts'
import { locateHelm } from '../addons/helm-binary.ts'
import { type ChartRenderer, createChartRenderer } from '../addons/render-chart.ts'
import type { RunContext } from './run-context.ts'

/** Renders charts as this run does: where they come from, and with which helm. Fetches nothing yet. */
export function addonRenderer(context: RunContext): ChartRenderer {
  const { clock, random, signal, endpoints, cacheFolder } = context
  const downloads = { clock, random, signal, cacheDirectory: cacheFolder }
  const charts = createChartSource({
    ...downloads,
    mirror: endpoints.charts,
    digests: endpoints.chartDigests,
  })
  const machine = { platform: process.platform, arch: process.arch }
  const helm = () => locateHelm({ ...downloads, ...machine, path: context.helm })
  return createChartRenderer({ charts, helm, signal })
}
