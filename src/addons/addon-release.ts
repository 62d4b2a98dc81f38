import { jsonDigest } from '../lib/canonical-json.ts'
import type { JsonObject } from '../lib/json.ts'
import { unmintedUid } from '../plan/plan.ts'
import type { CommonSpec } from '../spec/common-spec.ts'
import { referencesIn, referencesInJson } from '../spec/secret-reference.ts'
import { versionsOf } from '../spec/secret-references.ts'
import type { Addon, AddonFacts, AddonTraits, AnyAddon, BroughtAddon } from './addon.ts'
import { chartVersionFor } from './chart-version.ts'
import { jsonValues, mergeValues } from './merge-values.ts'

/** What an addon's objects are made of. */
export type AddonContent =
  | {
      readonly type: 'chart'
      /** Base URL of a classic repository, or `oci://registry/folder`. */
      readonly repository: string
      readonly chart: string
      readonly version: string
      /** Lower-case hex SHA-256 of the tgz, where the catalogue or the file has it. */
      readonly sha256?: string | undefined
    }
  | {
      readonly type: 'manifests'
      readonly urls: readonly { readonly url: string; readonly sha256: string }[]
      /** YAML texts, in which named secrets are referred to. */
      readonly inline: readonly string[]
    }

/** An addon as one cluster wants it. */
export interface AddonRelease {
  readonly addon: AddonTraits
  /** Of the chart; manifests have none. */
  readonly version: string
  readonly content: AddonContent
  /** Of a chart: ours with the user's merged over them; named secrets are referred to in them. */
  readonly values: JsonObject
  /** Changes with anything that changes what is applied: chart, version, values, the version of a secret, namespace. */
  readonly digest: string
}

/** What stands for the version of manifests. */
export const manifestsVersion = 'manifests'

/**
 * Pure: the same spec and facts give the same release, so a plan needs no chart and no cluster. The
 * digest leaves the cluster's uid out: what was planned before it was minted is what is done after.
 */
export function releaseOf<Spec extends CommonSpec>(
  addon: AnyAddon<Spec>,
  spec: Spec,
  facts: AddonFacts,
): AddonRelease {
  return 'custom' in addon ? broughtRelease(addon, spec) : catalogueRelease(addon, spec, facts)
}

function catalogueRelease<Spec extends CommonSpec>(
  addon: Addon<Spec>,
  spec: Spec,
  facts: AddonFacts,
): AddonRelease {
  const chart = chartVersionFor(addon, spec.kubernetes.version)
  const userValues = jsonValues(addon.userValues(spec))
  const secretVersions = secretVersionsIn(userValues, spec)
  const valuesWith = (known: AddonFacts) => mergeValues(addon.values(spec, known), userValues)
  const digest = jsonDigest({
    chart: addon.chart,
    version: chart.version,
    sha256: chart.sha256,
    namespace: addon.namespace,
    namespaceLabels: addon.namespaceLabels,
    values: valuesWith({ ...facts, uid: unmintedUid }),
    ...(secretVersions && { secretVersions }),
  })
  const { version, sha256 } = chart
  const { repository } = addon
  const content = { type: 'chart', repository, chart: addon.chart, version, sha256 } as const
  return { addon, version, content, values: valuesWith(facts), digest }
}

function broughtRelease(addon: BroughtAddon, spec: CommonSpec): AddonRelease {
  const { custom, namespace, namespaceLabels } = addon
  if (custom.type === 'manifest') {
    const { urls, inline } = custom
    const names = inline.flatMap(referencesIn).map(({ name }) => name)
    const secretVersions = versionsOf(spec, names)
    const digest = jsonDigest({
      urls: urls.map(({ sha256 }) => sha256),
      inline: [...inline],
      namespace,
      namespaceLabels,
      ...(secretVersions && { secretVersions }),
    })
    const content = { type: 'manifests', urls, inline } as const
    return { addon, version: manifestsVersion, content, values: {}, digest }
  }
  const { repository, chart, version, sha256 } = custom
  const values = jsonValues(custom.values)
  const secretVersions = secretVersionsIn(values, spec)
  const digest = jsonDigest({
    repository,
    chart,
    version,
    namespace,
    namespaceLabels,
    values,
    ...(sha256 !== undefined && { sha256 }),
    ...(secretVersions && { secretVersions }),
  })
  const content = { type: 'chart', repository, chart, version, sha256 } as const
  return { addon, version, content, values, digest }
}

function secretVersionsIn(
  values: JsonObject,
  spec: CommonSpec,
): Record<string, number> | undefined {
  return versionsOf(
    spec,
    referencesInJson(values).map(({ name }) => name),
  )
}
