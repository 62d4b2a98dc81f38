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

/** `none` for tests of logic, `realistic` for the bench and for people who want to watch. */
export type Latencies = 'none' | 'realistic'

/** Milliseconds that this takes now; always 0 without latencies. */
export function drawLatency(name: LatencyName, latencies: Latencies, random: Random): number {
  if (latencies === 'none') return 0
  const [shortest, longest] = realistic[name]
  return Math.round(shortest + (longest - shortest) * randomFraction(random))
}
