import type { HostEvidence } from './host-evidence.ts'

/** Groups of hosts that have one machine id, as clones of one disk do: they would be one node. */
export function hostsWithOneId(evidence: readonly HostEvidence[]): string[][] {
  const ids = evidence.filter(({ check, state }) => check === 'machine-id' && state === 'passed')
  const byId = Map.groupBy(ids, ({ seen }) => seen)
  return [...byId.values()]
    .map((same) => [...new Set(same.map(({ host }) => host))].sort())
    .filter((hosts) => hosts.length > 1)
}
