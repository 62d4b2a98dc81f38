import { compareVersions, parseVersion, type Version } from '../../tables/version-matrix.ts'

/**
 * The oldest patch of each line of containerd that its makers name for a minor of Kubernetes 1 (RELEASES.md of
 * containerd); lines that are newer than all of them are good too. Kubernetes 1.37 is not named there yet, and counts
 * as 1.36.
 */
const minimums: Readonly<Record<number, readonly string[]>> = {
  31: ['1.7.20', '2.0.0'],
  32: ['1.7.24', '2.0.1', '2.1.0'],
  33: ['1.7.24', '2.0.4', '2.1.0'],
  34: ['1.7.28', '2.0.6', '2.1.3'],
  35: ['1.7.28', '2.1.5', '2.2.0'],
  36: ['2.2.0', '2.3.0'],
}

const [oldestKubernetes, newestKubernetes] = [31, 36]

/** The newest containerd that any distribution which is supported has in its own packages. */
export const newestOfDistributions = '1.7.28'

/** The oldest containerd of each line that runs a Kubernetes of this minor, the newest line last. */
export function containerdMinimums(kubernetesMinor: number): readonly string[] {
  const known = Math.min(Math.max(kubernetesMinor, oldestKubernetes), newestKubernetes)
  return minimums[known] ?? []
}

/** Whether a containerd runs a Kubernetes of this minor, as far as its makers say. */
export function runsKubernetes(containerd: string, kubernetesMinor: number): boolean {
  const version = parseVersion(containerd)
  const oldest = containerdMinimums(kubernetesMinor).flatMap((text) => parseVersion(text) ?? [])
  const newest = oldest.at(-1)
  if (version === undefined || newest === undefined) return false
  const ofLine = oldest.find((one) => isSameLine(one, version))
  return compareVersions(version, ofLine ?? newest) >= 0
}

function isSameLine(one: Version, other: Version): boolean {
  return one.major === other.major && one.minor === other.minor
}
