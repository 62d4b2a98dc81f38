import { parseVersion } from './version-matrix.ts'

/** Until when the makers of a minor release look after it. */
export interface SupportEnd {
  /** `1.36`. */
  readonly minor: string
  /** The last day, `2027-06-28`. */
  readonly date: string
  /** Whether the day is expected and not yet fixed: the release that ends the support is still to come. */
  readonly isExpected: boolean
  /** Who says so. */
  readonly source: string
}

const talosMatrix = 'https://docs.siderolabs.com/talos/v1.14/getting-started/support-matrix'
const kubernetesPast = 'https://github.com/kubernetes/website/blob/main/data/releases/eol.yaml'
const kubernetesNow = 'https://kubernetes.io/releases/patch-releases/'

/**
 * The community support of a minor of Talos ends with the release of the next one. As of November 2026;
 * docs/new-version.md says when this table is looked at again.
 */
export const talosSupportEnds: readonly SupportEnd[] = [
  ended('1.9', '2025-04-30', talosMatrix),
  ended('1.10', '2025-09-01', talosMatrix),
  ended('1.11', '2025-12-22', talosMatrix),
  ended('1.12', '2026-04-27', talosMatrix),
  ended('1.13', '2026-09-03', talosMatrix),
  { minor: '1.14', date: '2026-12-27', isExpected: true, source: talosMatrix },
]

/** Kubernetes names the last day of each minor, fourteen months after its release. As of November 2026. */
export const kubernetesSupportEnds: readonly SupportEnd[] = [
  ended('1.27', '2024-07-16', kubernetesPast),
  ended('1.28', '2024-10-22', kubernetesPast),
  ended('1.29', '2025-02-28', kubernetesPast),
  ended('1.30', '2025-07-15', kubernetesPast),
  ended('1.31', '2025-11-11', kubernetesPast),
  ended('1.32', '2026-02-28', kubernetesPast),
  ended('1.33', '2026-06-28', kubernetesNow),
  ended('1.34', '2026-10-27', kubernetesNow),
  ended('1.35', '2027-02-28', kubernetesNow),
  ended('1.36', '2027-06-28', kubernetesNow),
  ended('1.37', '2027-10-28', kubernetesNow),
]

function ended(minor: string, date: string, source: string): SupportEnd {
  return { minor, date, isExpected: false, source }
}

/** When the support of a version ends, with or without its v; undefined for a minor that no table has. */
export function supportEnd(of: 'talos' | 'kubernetes', version: string): SupportEnd | undefined {
  const parsed = parseVersion(version)
  const ends = of === 'talos' ? talosSupportEnds : kubernetesSupportEnds
  return parsed && ends.find(({ minor }) => minor === `${parsed.major}.${parsed.minor}`)
}
