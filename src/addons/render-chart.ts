import { jsonDigest } from '../lib/canonical-json.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import type { JsonObject } from '../lib/json.ts'
import { describeRef, type KubernetesObject, refOf } from '../lib/kubernetes-object.ts'
import type { ObjectSet } from '../lib/object-set.ts'
import type { Redactor } from '../lib/redactor.ts'
import type { AddonRelease } from './addon-release.ts'
import type { ChartSource } from './chart-source.ts'
import { parseManifests } from './parse-manifests.ts'
import { runHelm } from './run-helm.ts'
import { sortHooks } from './sort-hooks.ts'

export interface Capabilities {
  readonly version: string
  readonly apiVersions: readonly string[]
}

/** Turns releases into objects. The one place where helm is known. */
export interface ChartRenderer {
  /** Throws `helm-failed` and `addon-failed`. */
  render(release: AddonRelease, capabilities: Capabilities): Promise<ObjectSet>
}

export interface RendererOptions {
  readonly charts: ChartSource
  /** Path of the helm to run; asked for only when something is rendered. */
  readonly helm: () => Promise<string>
  /** Values with their references to named secrets filled. Throws `secret-missing`. */
  readonly fill?: ((values: JsonObject) => Promise<JsonObject>) | undefined
  /** Takes secrets out of what helm says, before that is cut. */
  readonly redactor: Redactor
  readonly signal?: AbortSignal | undefined
}

/** Renders with `helm template`, twice: a chart that does not give the same twice would always differ. */
export function createChartRenderer({
  charts,
  helm,
  fill,
  redactor,
  signal,
}: RendererOptions): ChartRenderer {
  let located: Promise<string> | undefined
  return {
    async render(release, capabilities) {
      const { addon, chart } = release
      const values = fill ? await fill(release.values) : release.values
      located ??= helm()
      const [path, binary] = await Promise.all([
        charts.fetchChart({ repository: addon.repository, chart: addon.chart, ...chart }),
        located,
      ])
      const args = [
        'template',
        addon.chart,
        path,
        '--namespace',
        addon.namespace,
        '--kube-version',
        capabilities.version,
        ...apiVersionArguments(capabilities.apiVersions),
        '--include-crds',
        '--skip-tests',
      ]
      const render = async () =>
        parseManifests(await runHelm({ helm: binary, args, values, redactor, signal }))
      const [first, second] = await Promise.all([render(), render()])
      refuseIfUnequal(release, first, second)
      return { name: addon.name, namespace: addon.namespace, ...sortHooks(first) }
    },
  }
}

/** In pieces: a single argument may have 128 KiB, which a cluster with many kinds would exceed. */
function apiVersionArguments(apiVersions: readonly string[]): string[] {
  const size = 200
  const pieces = Math.ceil(apiVersions.length / size)
  return Array.from({ length: pieces }, (_, piece) => [
    '--api-versions',
    apiVersions.slice(piece * size, (piece + 1) * size).join(','),
  ]).flat()
}

function refuseIfUnequal(
  { addon }: AddonRelease,
  first: readonly KubernetesObject[],
  second: readonly KubernetesObject[],
): void {
  const different = first.filter((object, index) => {
    const other = second[index]
    return other === undefined || jsonDigest(object) !== jsonDigest(other)
  })
  if (different.length === 0 && first.length === second.length) return
  const names = different.map((object) => describeRef(refOf(object))).join(', ')
  throw new ClusterError(
    'addon-failed',
    `${addon.title} does not render the same twice: ${names} differ`,
    {
      operation: 'render chart',
      target: addon.chart,
      hint: 'Set values that keep the chart from making passwords or certificates by itself.',
    },
  )
}
