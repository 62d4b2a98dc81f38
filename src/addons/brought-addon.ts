import type { Risk } from '../plan/change.ts'
import type { CustomAddon } from '../spec/cluster-spec.ts'
import type { BroughtAddon } from './addon.ts'

/** Behind every wave of the catalogue. */
export const firstBroughtWave = 10

/** Nobody but its user knows what it holds: its removal takes an approval, as that of the network does. */
export const broughtRemovalRisk: Risk = 'drain'

/**
 * The addons that a file brings, by name. Each is installed after the catalogue's and after those that it needs, which
 * are healthy then: its wave is how many stand before it in the longest chain.
 */
export function broughtAddons(custom: readonly CustomAddon[]): Record<string, BroughtAddon> {
  return Object.fromEntries(custom.map((addon) => [addon.name, broughtAddon(addon, custom)]))
}

function broughtAddon(addon: CustomAddon, all: readonly CustomAddon[]): BroughtAddon {
  const { name, namespace, podSecurity, needs, conditions } = addon
  return {
    name,
    title: name,
    namespace,
    namespaceLabels:
      podSecurity === undefined ? {} : { 'pod-security.kubernetes.io/enforce': podSecurity },
    wave: firstBroughtWave + depthOf(addon, all, new Set()),
    needs,
    brings: undefined,
    usesHetzner: false,
    removalRisk: broughtRemovalRisk,
    probes: [
      { type: 'workloads' },
      ...(conditions.length > 0 ? [{ type: 'conditions', objects: conditions } as const] : []),
    ],
    wait: addon.wait,
    withinMs: addon.timeoutMinutes * 60_000,
    enabled: () => true,
    custom: addon,
  }
}

/** Total: a file whose addons need each other in a circle has findings, and is judged all the same. */
function depthOf(
  { name, needs }: CustomAddon,
  all: readonly CustomAddon[],
  above: ReadonlySet<string>,
): number {
  const seen = new Set([...above, name])
  const depths = all
    .filter((other) => needs.includes(other.name) && !seen.has(other.name))
    .map((other) => depthOf(other, all, seen) + 1)
  return Math.max(0, ...depths)
}
