import { describeEnd, leadTimes } from '../../lib/ending.ts'
import type { Finding } from '../../lib/finding.ts'
import { supportEnd } from './support-ends.ts'
import { newFileVersions, parseVersion } from './version-matrix.ts'

interface Supported {
  readonly talos?: { readonly version: string } | undefined
  readonly kubernetes: { readonly version: string }
}

/** A version that is out of support, or soon will be. */
export interface SoonUnsupported {
  readonly path: readonly string[]
  readonly message: string
  /** Whether there is a newer minor release that this program advises: the one that it writes into new files, or before it. */
  readonly hasSuccessor: boolean
}

/** What of the versions that a file names is not supported for much longer, or is not any more. Pure. */
export function supportEnds({ talos, kubernetes }: Supported, now: number): SoonUnsupported[] {
  const ofTalos = talos === undefined ? [] : endOf('talos', talos.version, now)
  return [...ofTalos, ...endOf('kubernetes', kubernetes.version, now)]
}

/** The same as findings of the file, where there is something to upgrade to. */
export function supportFindings(spec: Supported, now: number): Finding[] {
  return supportEnds(spec, now)
    .filter(({ hasSuccessor }) => hasSuccessor)
    .map(({ path, message }) => ({
      severity: 'warning',
      path: [...path],
      message,
      hint: 'Raise the version in the file by one minor release, and run `hcloud-talos upgrade` (docs/upgrading.md).',
    }))
}

const names = { talos: 'Talos', kubernetes: 'Kubernetes' } as const

function endOf(of: 'talos' | 'kubernetes', version: string, now: number): SoonUnsupported[] {
  const parsed = parseVersion(version)
  const known = supportEnd(of, version)
  // A day that is only expected belongs to the newest minor release: there is nothing yet to go to.
  if (parsed === undefined || known === undefined || known.isExpected) return []
  const end = Date.parse(`${known.date}T23:59:59Z`)
  if (end - now >= leadTimes.support) return []
  const message = `support of ${names[of]} ${known.minor} by its makers ${describeEnd(end, now)}`
  const hasSuccessor = parsed.minor < (parseVersion(newFileVersions[of])?.minor ?? 0)
  return [{ path: [of, 'version'], message, hasSuccessor }]
}
