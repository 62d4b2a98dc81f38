import { ClusterError } from '../../lib/cluster-error.ts'
import { dateOf } from '../../lib/ending.ts'
import type { Finding } from '../../lib/finding.ts'
import {
  type AuthorityEnd,
  type AuthorityField,
  bundleEnds,
} from '../../talos/config/authority-ends.ts'
import type { SecretsBundle } from '../../talos/config/secrets-bundle.ts'
import { clusterEnds } from './cluster-ends.ts'
import type { ClusterView } from './cluster-view.ts'

/** The authority that lets people in to the nodes. */
const wayIn: AuthorityField = 'machine.ca.crt'

const recreate =
  'the servers of the cluster in the console, then run `hcloud-talos restore --snapshot <your newest snapshot>`: it makes them with authorities that are issued once more (docs/certificates.md).'

/** What leads back where one of these authorities has ended: while nodes can be reached there is data to be kept first. */
export function endedHint(ends: readonly AuthorityEnd[], now: number): string {
  if (firstEnded(ends, now)?.field === wayIn) return `Delete ${recreate}`
  return `Take a snapshot first, since the nodes can still be reached: \`hcloud-talos snapshot <folder>\`. Then delete ${recreate}`
}

/**
 * Authorities of which each certificate is refused: by their own dates, and only those that are needed for what is to be
 * done. Throws `certificate-ended`.
 */
export function refuseEnded(
  secrets: SecretsBundle,
  now: number,
  needed: readonly AuthorityField[],
): void {
  const ends = bundleEnds(secrets)
  const ended = firstEnded(
    ends.filter(({ field }) => needed.includes(field)),
    now,
  )
  if (!ended) return
  throw new ClusterError('certificate-ended', describeEnded(ended), {
    operation: ended.field === wayIn ? 'reach the nodes' : 'reach the cluster',
    hint: endedHint(ends, now),
  })
}

/** Of those that have ended the one that shuts everybody out, else the first. */
function firstEnded(ends: readonly AuthorityEnd[], now: number): AuthorityEnd | undefined {
  const ended = ends
    .filter(({ notAfter }) => notAfter <= now)
    .toSorted((a, b) => a.notAfter - b.notAfter)
  return ended.find(({ field }) => field === wayIn) ?? ended[0]
}

function describeEnded({ field, name, notAfter }: AuthorityEnd): string {
  const message = `${name} ended on ${dateOf(notAfter)}: no certificate of it is accepted any more`
  return field === wayIn ? `${message}, and no node can be reached` : message
}

/** What keeps an apply from anything: nodes and etcd would have to take part in it. Pure. */
export function reportEnded(
  { generation }: Pick<ClusterView, 'generation'>,
  now: number,
): Finding[] {
  const ends = generation ? clusterEnds(generation) : []
  const ended = firstEnded(ends, now)
  if (!ended) return []
  return [
    { severity: 'error', path: [], message: describeEnded(ended), hint: endedHint(ends, now) },
  ]
}
