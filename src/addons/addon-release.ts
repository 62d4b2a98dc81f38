import { jsonDigest } from '../lib/canonical-json.ts'
import type { JsonObject } from '../lib/json.ts'
import { unmintedUid } from '../plan/plan.ts'
import type { ClusterSpec } from '../spec/cluster-spec.ts'
import { referencesInJson } from '../spec/secret-reference.ts'
import { versionsOf } from '../spec/secret-references.ts'
import type { Addon, AddonFacts, ChartVersion } from './addon.ts'
import { chartVersionFor } from './chart-version.ts'
import { jsonValues, mergeValues } from './merge-values.ts'

/** An addon as one cluster wants it. */
export interface AddonRelease {
  readonly addon: Addon
  readonly chart: ChartVersion
  /** Ours with the user's merged over them; named secrets are referred to in them. */
  readonly values: JsonObject
  /** Changes with anything that changes what is applied: chart, version, values, the version of a secret, namespace. */
  readonly digest: string
}

/**
 * Pure: the same spec and facts give the same release, so a plan needs no chart and no cluster. The
 * digest leaves the cluster's uid out: what was planned before it was minted is what is done after.
 */
export function releaseOf(addon: Addon, spec: ClusterSpec, facts: AddonFacts): AddonRelease {
  const chart = chartVersionFor(addon, spec.kubernetes.version)
  const userValues = jsonValues(addon.userValues(spec))
  const secretVersions = versionsOf(
    spec,
    referencesInJson(userValues).map(({ name }) => name),
  )
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
  return { addon, chart, values: valuesWith(facts), digest }
}
