import { ClusterError } from '../lib/cluster-error.ts'
import { dateOf } from '../lib/ending.ts'
import type { Finding } from '../lib/finding.ts'
import { type AuthorityEnd, bundleEnds } from '../talos/config/authority-ends.ts'
import type { SecretsBundle } from '../talos/config/secrets-bundle.ts'
import { clusterEnds } from './cluster-ends.ts'
import type { ClusterView } from './observe-cluster.ts'

/** What leads back where an authority has ended. */
export const endedHint =
  'Delete the servers of the cluster in the console, then run `hcloud-talos restore --snapshot <your newest snapshot>`: it makes them with authorities that are issued once more (docs/certificates.md).'

/** Authorities of which each certificate is refused: by their own dates. Throws `certificate-ended`. */
export function refuseEnded(secrets: SecretsBundle, now: number): void {
  const ended = firstEnded(bundleEnds(secrets), now)
  if (!ended) return
  throw new ClusterError('certificate-ended', sayEnded(ended), {
    operation: 'reach the nodes',
    hint: endedHint,
  })
}

/** The first that has ended. */
export function firstEnded(ends: readonly AuthorityEnd[], now: number): AuthorityEnd | undefined {
  const [first] = ends.toSorted((a, b) => a.notAfter - b.notAfter)
  return first !== undefined && first.notAfter <= now ? first : undefined
}

export function sayEnded({ name, notAfter }: AuthorityEnd): string {
  return `${name} ended on ${dateOf(notAfter)}: no certificate of it is accepted any more, and no node can be reached`
}

/** What keeps an apply from anything: it would have to reach the nodes. Pure. */
export function reportEnded(
  { generation }: Pick<ClusterView, 'generation'>,
  now: number,
): Finding[] {
  const ended = generation && firstEnded(clusterEnds(generation), now)
  if (!ended) return []
  return [{ severity: 'error', path: [], message: sayEnded(ended), hint: endedHint }]
}
