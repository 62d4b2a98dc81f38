import { describeEnd, leadTimes } from '../../../lib/ending.ts'
import { handedOutEnds } from '../../../planner/handed-out.ts'
import { clusterEnds } from '../../../planner/hetzner-talos/cluster-ends.ts'
import { endedHint } from '../../../planner/hetzner-talos/refuse-ended.ts'
import { type Diagnosis, passed, problem } from '../../../run/diagnosis.ts'
import { servedCertificate } from '../../../run/served-certificate.ts'
import type { Generation } from '../../../store/generation.ts'
import type { AuthorityEnd } from '../../../talos/config/authority-ends.ts'
import type { ReachedNode } from './reach-nodes.ts'

/** How long a port may take to show its certificate, in milliseconds. */
const showWithinMs = 5_000

/** When the authorities of a cluster end, and what was handed out. Pure. */
export function diagnoseEnds(generation: Generation, now: number): Diagnosis[] {
  const ends = clusterEnds(generation)
  const found = [
    ...ends.flatMap((end) => authorityFinding(end, ends, now)),
    ...handedOutEnds(generation, now).map(({ message, command }) =>
      problem('certificates', 'weak', message, command),
    ),
  ]
  if (found.length > 0) return found
  const [first] = ends.toSorted((a, b) => a.notAfter - b.notAfter)
  if (!first) return []
  return [
    passed(
      'certificates',
      `the first authority to end is ${first.name}: it ${describeEnd(first.notAfter, now)}`,
    ),
  ]
}

function authorityFinding(
  { name, notAfter }: AuthorityEnd,
  all: readonly AuthorityEnd[],
  now: number,
): Diagnosis[] {
  const left = notAfter - now
  if (left >= leadTimes.authority) return []
  const message = `${name} ${describeEnd(notAfter, now)}, and with it every certificate that it issued`
  if (left <= 0) return [problem('certificates', 'bad', message, endedHint(all, now))]
  const verdict = left < leadTimes.authorityUrgent ? 'bad' : 'weak'
  return [problem('certificates', verdict, message, 'hcloud-talos apply')]
}

/** The certificates that nodes and API servers show: Talos renews these by itself, so one that is old was not renewed. */
export async function diagnoseServed(
  nodes: readonly ReachedNode[],
  now: number,
  signal: AbortSignal,
): Promise<Diagnosis[]> {
  const shown = await Promise.all(
    nodes.flatMap(({ name, role, address }) => [
      look({ name, what: 'the Talos API', lead: leadTimes.node }, address, 50_000),
      ...(role === 'control-plane'
        ? [look({ name, what: 'the API server', lead: leadTimes.apiServer }, address, 6_443)]
        : []),
    ]),
  )
  return shown.flatMap((one) => {
    if (one === undefined || one.notAfter - now >= one.lead) return []
    const message = `the certificate of ${one.what} of ${one.name} ${describeEnd(one.notAfter, now)}: it was not renewed`
    const isOver = one.notAfter <= now
    // Nobody talks to a node whose certificate has ended, so it cannot be asked to reboot either.
    const isLost = isOver && one.lead === leadTimes.node
    const command = isLost
      ? `hcloud-talos apply --replace ${one.name}`
      : `hcloud-talos talos reboot --nodes ${one.name}`
    return [problem('certificates', isOver ? 'bad' : 'weak', message, command)]
  })

  async function look(
    what: { readonly name: string; readonly what: string; readonly lead: number },
    address: string,
    port: number,
  ) {
    const served = await servedCertificate(address, port, { timeoutMs: showWithinMs, signal })
    return served && { ...what, ...served }
  }
}
