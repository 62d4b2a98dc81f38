import { randomFraction } from '../../lib/random.ts'
import type { World } from '../world.ts'

/** Who takes the time: a node, for as long as it is on. */
interface Pausing {
  readonly world: World
  readonly name: string
  readonly signal: AbortSignal
}

/** How long things take on a Talos node, in milliseconds (facts: measured on real nodes, and logs of Hetzner's). */
const realistic = {
  /** From a config accepted until the API answers over mutual TLS. */
  configure: [1_000, 3_000],
  /** From a power cycle or the like being asked for until the machine goes down. */
  'go-down': [5_000, 15_000],
  'etcd-start': [4_000, 9_000],
  /** As long as a new member of etcd learns. */
  'etcd-learn': [3_000, 8_000],
  'kubernetes-api': [20_000, 35_000],
  kubelet: [5_000, 15_000],
  'image-pull': [5_000, 20_000],
  install: [20_000, 45_000],
} as const satisfies Record<string, readonly [number, number]>

export type PauseName = keyof typeof realistic

/** The same in a world that lags: see the latencies of Hetzner. */
const lagging = {
  configure: [500, 1_000],
  'go-down': [500, 1_500],
  'etcd-start': [1_000, 3_000],
  'etcd-learn': [1_000, 4_000],
  'kubernetes-api': [1_000, 4_000],
  kubelet: [1_000, 3_000],
  'image-pull': [500, 2_000],
  install: [500, 1_000],
} as const satisfies Record<PauseName, readonly [number, number]>

/** Takes as long as this takes on a real node; no time in a world without latencies. Rejects when the node goes off. */
export async function pause(
  { world, name: target, signal }: Pausing,
  name: PauseName,
): Promise<void> {
  signal.throwIfAborted()
  if (world.latencies === 'none') return
  const [shortest, longest] = (world.latencies === 'lagging' ? lagging : realistic)[name]
  const ms = Math.round(shortest + (longest - shortest) * randomFraction(world.random))
  world.noteDelay({ what: name, target, ms })
  await world.clock.sleep(ms, signal)
}
