import { describeEnd, leadTimes } from '../lib/ending.ts'
import type { Finding } from '../lib/finding.ts'
import { newFileVersions, parseVersion } from './version-matrix.ts'

/** The last day of a minor release, as its makers say. */
type SupportWindows = Readonly<Record<string, string>>

/**
 * Community support of a Talos minor ends with the release of the next one (docs.siderolabs.com, Support Matrix); the
 * dates are those of the tags v1.10.0 to v1.13.0, and for 1.13 that of v1.14.1, since v1.14.0 has none here.
 */
const talosSupport: SupportWindows = {
  '1.9': '2025-04-30',
  '1.10': '2025-09-01',
  '1.11': '2025-12-22',
  '1.12': '2026-04-27',
  '1.13': '2026-09-15',
}

/** End of life, kubernetes.io/releases; of 1.37, whose page was not seen, fourteen months after its release as ever. */
const kubernetesSupport: SupportWindows = {
  '1.27': '2024-07-16',
  '1.28': '2024-10-22',
  '1.29': '2025-03-11',
  '1.30': '2025-07-15',
  '1.31': '2025-11-11',
  '1.32': '2026-02-28',
  '1.33': '2026-06-28',
  '1.34': '2026-10-27',
  '1.35': '2027-02-28',
  '1.36': '2027-06-28',
  '1.37': '2027-10-28',
}

interface Supported {
  readonly talos: { readonly version: string }
  readonly kubernetes: { readonly version: string }
}

/** A version that is out of support, or soon will be. */
export interface SupportEnd {
  readonly path: readonly string[]
  readonly says: string
  /** Whether there is a newer minor release that this program advises: the one that it writes into new files, or before it. */
  readonly hasSuccessor: boolean
}

/** What of the versions that a file names is not supported for much longer, or is not any more. Pure. */
export function supportEnds({ talos, kubernetes }: Supported, now: number): SupportEnd[] {
  return [
    ...endOf('Talos', talos.version, talosSupport, newFileVersions.talos, now),
    ...endOf('Kubernetes', kubernetes.version, kubernetesSupport, newFileVersions.kubernetes, now),
  ]
}

/** The same as findings of the file, where there is something to upgrade to. */
export function supportFindings(spec: Supported, now: number): Finding[] {
  return supportEnds(spec, now)
    .filter(({ hasSuccessor }) => hasSuccessor)
    .map(({ path, says }) => ({
      severity: 'warning',
      path: [...path],
      message: says,
      hint: 'Raise the version in the file by one minor release, and run `hcloud-talos upgrade` (docs/upgrading.md).',
    }))
}

function endOf(
  name: 'Talos' | 'Kubernetes',
  version: string,
  windows: SupportWindows,
  advised: string,
  now: number,
): SupportEnd[] {
  const parsed = parseVersion(version)
  const minor = parsed && `${parsed.major}.${parsed.minor}`
  const day = minor === undefined ? undefined : windows[minor]
  if (parsed === undefined || day === undefined) return []
  const end = Date.parse(`${day}T23:59:59Z`)
  if (end - now >= leadTimes.support) return []
  const says = `support of ${name} ${minor} by its makers ${describeEnd(end, now)}`
  const hasSuccessor = parsed.minor < (parseVersion(advised)?.minor ?? 0)
  return [{ path: [name.toLowerCase(), 'version'], says, hasSuccessor }]
}
