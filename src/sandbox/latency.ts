import { type Random, randomFraction } from '../lib/random.ts'

/**
 * How long things take on Hetzner, in milliseconds: shortest and longest. Rough figures from public
 * logs (facts: Hetzner's server life cycle, "default durations").
 */
const realistic = {
  request: [60, 180],
  'create-server': [5_000, 20_000],
  'create-server-from-snapshot': [30_000, 140_000],
  power: [2_000, 10_000],
  'enable-rescue': [1_000, 2_000],
  'attach-to-network': [2_000, 5_000],
  'create-load-balancer': [1_000, 3_000],
  'create-image': [30_000, 300_000],
  volume: [5_000, 9_000],
  'delete-server': [2_000, 10_000],
  'change-type': [30_000, 60_000],
  change: [500, 1_500],
  /** From power on until the system answers. */
  'boot-rescue': [20_000, 60_000],
  'boot-talos': [15_000, 30_000],
  'boot-stock': [10_000, 20_000],
  /** Pulling images and installing, as a Talos upgrade does. */
  'talos-upgrade': [40_000, 90_000],
  'talos-bootstrap': [20_000, 40_000],
  'kubernetes-control-plane': [30_000, 60_000],
  'workload-rollout': [5_000, 30_000],
  'image-download': [20_000, 60_000],
} as const satisfies Record<string, readonly [number, number]>

export type LatencyName = keyof typeof realistic

/**
 * What never happens at once, in milliseconds: as much as it takes for a run that does not wait to be wrong,
 * and no more, since every test pays for it. What is not named happens at once.
 */
const lagging: Partial<Record<LatencyName, readonly [number, number]>> = {
  'create-server': [500, 1_500],
  'create-server-from-snapshot': [500, 1_500],
  power: [500, 1_500],
  'delete-server': [500, 1_500],
  'boot-talos': [500, 1_500],
}

/**
 * `lagging` for tests, on a fast clock: nothing that takes time outside happens at once. `realistic` for the
 * bench and for people who want to watch; `none` for tests of the simulation itself, and on the wall's clock.
 */
export type Latencies = 'none' | 'lagging' | 'realistic'

/** How late Hetzner's selectors and lists notice what was written, and what it still counts, in milliseconds. */
export const trailing = { selectorLagMs: 1_000, releaseLagMs: 2_000, listLagMs: 500 } as const

const none = [0, 0] as const

/** Milliseconds that this takes now; always 0 without latencies. */
export function drawLatency(name: LatencyName, latencies: Latencies, random: Random): number {
  if (latencies === 'none') return 0
  const [shortest, longest] = latencies === 'lagging' ? (lagging[name] ?? none) : realistic[name]
  if (longest === 0) return 0
  return Math.round(shortest + (longest - shortest) * randomFraction(random))
}
