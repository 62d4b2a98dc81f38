import { BenchWorld, type Observed, type Requests } from './bench-world.ts'
import type { Product } from './bundle-product.ts'
import { type Configuring, configuring } from './configuring.ts'
import { criticalPath } from './critical-path.ts'
import type { ProductReport } from './product-run.ts'

export interface Size {
  readonly nodes: number
  /** Of the world's clock, as a multiple of the wall's. */
  readonly speed: number
  /** Without it, the apply builds the image first. */
  readonly snapshot: boolean
}

const planRounds = 3

/** What a process of the product cost. */
export interface Cost {
  readonly cpuMs: number
  readonly ownCpuMs: number
  readonly peakMb: number
  readonly requests: Requests
}

export interface SizeFigures extends Size {
  /** Of a cluster that does not exist yet, and of one that was just applied. */
  readonly firstPlan: Cost
  readonly laterPlan: Cost
  readonly apply: Cost & {
    readonly wallMs: number
    readonly pathMs: number
    /** The wall's length over the path's. */
    readonly ratio: number
    /** Of nodes that were switched on, until they ran with their configs. */
    readonly configuring: Configuring
    /** The path, step by step, and what the run showed as its phases. */
    readonly path: readonly string[]
    readonly phases: ProductReport['phases']
  }
}

/** Plans, applies and plans again a cluster of one size in a world of its own. */
export async function benchSize(
  size: Size,
  product: Product,
  log: (text: string) => void,
): Promise<SizeFigures> {
  const { nodes, speed, snapshot } = size
  await using world = await BenchWorld.start({ ...size, seed: nodes })
  const plan = () =>
    leastCpu(() => world.run(product.command, 'plan', '--config', world.clusterFile))
  log('plan of what does not exist yet')
  const firstPlan = await plan()
  log(`apply, ${speed} times as fast as the wall`)
  const apply = await world.run(product.fastApply, String(speed), world.clusterFile)
  const { wallMs, phases }: ProductReport = JSON.parse(apply.output)
  const shape = world.shape(snapshot)
  const path = criticalPath(apply.delays, shape)
  log('plan of what was applied')
  const laterPlan = await plan()
  return {
    ...size,
    firstPlan: costOf(firstPlan),
    laterPlan: costOf(laterPlan),
    apply: {
      ...costOf(apply),
      wallMs: Math.round(wallMs),
      pathMs: Math.round(path.at),
      ratio: Math.round((wallMs / path.at) * 1_000) / 1_000,
      configuring: configuring(apply.delays, [...shape.controlPlanes, ...shape.workers]),
      path: path.chain.map(
        ({ what, target, subject, ms }) =>
          `${what} ${subject ?? target} ${Math.round(ms / 100) / 10} s`,
      ),
      phases,
    },
  }
}

/** Of several equal runs the one that took the least: what a busy machine adds is not the product's. */
async function leastCpu(run: () => Promise<Observed>): Promise<Observed> {
  let least = await run()
  for (let round = 1; round < planRounds; round++) {
    const next = await run()
    if (next.cpuMs < least.cpuMs) least = next
  }
  return least
}

function costOf({ cpuMs, ownCpuMs, peakMb, requests }: Observed): Cost {
  return { cpuMs, ownCpuMs, peakMb, requests }
}
