import { isClusterError } from '../lib/cluster-error.ts'

/** The provider of a mode, as reports name it: see `ClusterHealth`. Scripts read it, so that it stays what it was. */
type ProviderArea = 'hetzner' | 'hosts'

/** What is looked at, in the order in which it is reported. */
export type DiagnosisArea =
  | 'cluster file'
  | 'state'
  | 'identity'
  | 'lock'
  | 'journal'
  | ProviderArea
  | 'servers'
  | 'firewall'
  | 'etcd'
  | 'nodes'
  | 'kubernetes'
  | 'certificates'
  | 'versions'
  | 'changes'
  | 'github'
  | 'clock'

/**
 * `good`: as it should be. `bad`: something does not work, or is not safe. `weak`: it works, and should be better.
 * `unknown`: it could not be looked at.
 */
export type Verdict = 'good' | 'bad' | 'weak' | 'unknown'

export interface Diagnosis {
  readonly area: DiagnosisArea
  readonly verdict: Verdict
  /** One sentence. */
  readonly message: string
  /** The one thing to do about it; absent where it is good. */
  readonly fix?: string | undefined
}

/** Looks under a title; what fails is told, and keeps nothing else from being looked at. */
export type Look = (
  area: DiagnosisArea,
  title: string,
  work: () => Promise<readonly Diagnosis[]>,
) => Promise<readonly Diagnosis[]>

export const passed = (area: DiagnosisArea, message: string): Diagnosis => ({
  area,
  verdict: 'good',
  message,
})

export function problem(
  area: DiagnosisArea,
  verdict: Exclude<Verdict, 'good'>,
  message: string,
  fix: string,
): Diagnosis {
  return { area, verdict, message, fix }
}

/** How long one look may take, in milliseconds of the wall: whoever asks is in a hurry. */
const lookWithinMs = 60_000

/**
 * Looks at something; what fails as can be expected is a diagnosis, and does not keep the rest from being looked at.
 * Nor does what gives no answer at all.
 */
export async function diagnose(
  area: DiagnosisArea,
  look: () => Promise<readonly Diagnosis[]>,
  { withinMs = lookWithinMs }: { readonly withinMs?: number } = {},
): Promise<readonly Diagnosis[]> {
  const late = Promise.withResolvers<readonly Diagnosis[]>()
  const seconds = withinMs / 1_000
  const timer = setTimeout(() => {
    late.resolve([
      problem(
        area,
        'unknown',
        `there was no answer within ${seconds} s`,
        'Run `hcloud-talos doctor` again.',
      ),
    ])
  }, withinMs)
  try {
    return await Promise.race([look(), late.promise])
  } catch (error) {
    if (!isClusterError(error) || error.code === 'interrupted') throw error
    // Nothing is known then of what was to be looked at: neither that it is healthy nor that it is broken.
    const verdict = error.isUnanswered ? 'unknown' : 'bad'
    return [{ area, verdict, message: `[${error.code}] ${error.message}`, fix: error.hint }]
  } finally {
    clearTimeout(timer)
  }
}
