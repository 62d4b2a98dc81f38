import { gpuChecks } from './checks/gpu.ts'
import type { HostEvidence } from './host-evidence.ts'
import { osChecks } from './os-ready.ts'

/** Checks that only people can make true: nothing is changed on a host while one of them fails. */
const forPeople: ReadonlySet<string> = new Set(
  [...osChecks, ...gpuChecks]
    .filter(({ apply, isPrecondition }) => isPrecondition || apply === undefined)
    .map(({ id }) => id),
)

/** What failed, by who can make it true; what is unknown is no failure. */
interface FailedChecks {
  readonly byApply: readonly HostEvidence[]
  readonly byPeople: readonly HostEvidence[]
  readonly unknown: readonly HostEvidence[]
}

export function failedChecks(evidence: readonly HostEvidence[]): FailedChecks {
  const failed = evidence.filter(({ state }) => state === 'failed').toSorted(byCheck)
  return {
    byApply: failed.filter(({ check }) => !forPeople.has(check)),
    byPeople: failed.filter(({ check }) => forPeople.has(check)),
    unknown: evidence.filter(({ state }) => state === 'unknown').toSorted(byCheck),
  }
}

function byCheck(a: HostEvidence, b: HostEvidence): number {
  return a.check < b.check ? -1 : 1
}
