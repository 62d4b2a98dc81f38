import type { SeenHost } from './seen-host.ts'

/** Groups of hosts that have one machine id, as clones of one disk do: they would be one node. */
export function hostsWithOneId(hosts: readonly Pick<SeenHost, 'name' | 'machineId'>[]): string[][] {
  const known = hosts.filter(({ machineId }) => machineId !== '')
  return [...Map.groupBy(known, ({ machineId }) => machineId).values()]
    .map((same) => [...new Set(same.map(({ name }) => name))].sort())
    .filter((names) => names.length > 1)
}
