import { jsonDigest } from '../lib/canonical-json.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import { isJsonObject, type Json } from '../lib/json.ts'
import {
  describeRef,
  isKubernetesObject,
  type KubernetesObject,
  refOf,
} from '../lib/kubernetes-object.ts'
import type { ObjectSet } from '../lib/object-set.ts'
import type { Redactor } from '../lib/redactor.ts'
import type { AddonContent, AddonRelease } from './addon-release.ts'
import type { ChartSource } from './chart-source.ts'
import type { ManifestSource } from './manifest-source.ts'
import { parseManifests } from './parse-manifests.ts'
import { runHelm } from './run-helm.ts'
import { sortHooks } from './sort-hooks.ts'

export interface Capabilities {
  readonly version: string
  readonly apiVersions: readonly string[]
}

/** The objects of a release. */
export interface RenderedAddon extends ObjectSet {
  /** Lower-case hex SHA-256 of the chart that they came from. */
  readonly sha256?: string
  /** Hooks of the chart that are never run, for people: `Job longhorn-uninstall (pre-delete)`. */
  readonly leftOut: readonly string[]
}

/** Turns releases into objects. The one place where helm is known. */
export interface AddonRenderer {
  /** Throws `helm-failed` and `addon-failed`. */
  render(release: AddonRelease, capabilities: Capabilities): Promise<RenderedAddon>
}

export interface RendererOptions {
  readonly charts: ChartSource
  readonly manifests: ManifestSource
  /** Path of the helm to run; asked for only when something is rendered. */
  readonly helm: () => Promise<string>
  /** Values and manifests with their references to named secrets filled. Throws `secret-missing`. */
  readonly fill?: ((value: Json) => Promise<Json>) | undefined
  /** Takes secrets out of what helm says, before that is cut. */
  readonly redactor: Redactor
  readonly signal?: AbortSignal | undefined
}

/** Charts are rendered with `helm template`, twice: one that does not give the same twice would always differ. */
export function createAddonRenderer(options: RendererOptions): AddonRenderer {
  let located: Promise<string> | undefined
  const helm = () => {
    located ??= options.helm()
    return located
  }
  return {
    render: (release, capabilities) =>
      release.content.type === 'chart'
        ? renderChart(release, release.content, capabilities, { ...options, helm })
        : readManifests(release, release.content, options),
  }
}

async function renderChart(
  { addon, values }: AddonRelease,
  content: Extract<AddonContent, { type: 'chart' }>,
  capabilities: Capabilities,
  { charts, helm, fill, redactor, signal }: RendererOptions,
): Promise<RenderedAddon> {
  const filled = fill ? await fill(values) : values
  const [{ path, sha256 }, binary] = await Promise.all([charts.fetchChart(content), helm()])
  const args = [
    'template',
    // The catalogue's releases are called as their charts, which is in the names of their objects.
    'custom' in addon ? addon.name : content.chart,
    path,
    '--namespace',
    addon.namespace,
    '--kube-version',
    capabilities.version,
    ...apiVersionArguments(capabilities.apiVersions),
    '--include-crds',
    '--skip-tests',
  ]
  const run = {
    helm: binary,
    args,
    values: isJsonObject(filled) ? filled : values,
    redactor,
    signal,
  }
  const render = async () => parseManifests(await runHelm(run))
  const [first, second] = await Promise.all([render(), render()])
  refuseIfUnequal(addon.title, content.chart, first, second)
  return { name: addon.name, namespace: addon.namespace, sha256, ...sortHooks(first) }
}

/** Files as they are, with no reference filled: what others wrote may look like one. */
async function readManifests(
  { addon }: AddonRelease,
  { urls, inline }: Extract<AddonContent, { type: 'manifests' }>,
  { manifests, fill }: RendererOptions,
): Promise<RenderedAddon> {
  const fetched = await Promise.all(
    urls.map(async (file) => parseManifests(await manifests.fetchManifest(file), file.url)),
  )
  const own = await Promise.all(
    inline
      .flatMap((text) => parseManifests(text, addon.name))
      .map(async (object) => {
        const filled: unknown = fill ? await fill(asJson(object)) : object
        return isKubernetesObject(filled) ? filled : object
      }),
  )
  const objects = [...fetched.flat(), ...own]
  const hooks = { before: [], after: [] }
  return { name: addon.name, namespace: addon.namespace, objects, hooks, leftOut: [] }
}

function asJson(object: KubernetesObject): Json {
  return JSON.parse(JSON.stringify(object))
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
  title: string,
  chart: string,
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
    `${title} does not render the same twice: ${names} differ`,
    {
      operation: 'render chart',
      target: chart,
      hint: 'Set values that keep the chart from making passwords or certificates by itself.',
    },
  )
}
