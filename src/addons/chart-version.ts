import type { Addon, ChartVersion } from './addon.ts'

/**
 * The version of an addon's chart for a Kubernetes version (`1.32.0`): the newest that its makers
 * tested with that minor; where none was, the newest for a newer Kubernetes and the oldest for an
 * older one. Versions that are known to be broken are not in the catalogue, so none can be chosen.
 */
export function chartVersionFor(
  addon: Pick<Addon, 'name' | 'versions'>,
  kubernetesVersion: string,
): ChartVersion {
  const tested = addon.versions.find((chart) => isTestedWith(chart, kubernetesVersion))
  const [newest] = addon.versions
  const oldest = addon.versions.at(-1)
  if (!newest || !oldest) throw new Error(`the catalogue has no version of ${addon.name}`)
  if (tested) return tested
  return minorOf(kubernetesVersion) > minorOf(newest.kubernetes.to) ? newest : oldest
}

/** Whether a chart's makers list this Kubernetes among those that they tested it with. */
export function isTestedWith({ kubernetes }: ChartVersion, kubernetesVersion: string): boolean {
  const minor = minorOf(kubernetesVersion)
  return minorOf(kubernetes.from) <= minor && minor <= minorOf(kubernetes.to)
}

/** `1.32.0` and `v1.32` as 1032: ordered like the versions. */
function minorOf(version: string): number {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  return major * 1000 + minor
}
