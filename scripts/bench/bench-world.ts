import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { createClock } from '../../src/lib/clock.ts'
import type { Delay } from '../../src/sandbox/delay.ts'
import { sandboxEnvironment } from '../../src/sandbox/sandbox-environment.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { extractHelm } from '../extract-helm.ts'
import { benchCluster } from './bench-cluster.ts'
import type { Shape } from './critical-path.ts'
import { giveSnapshot } from './give-snapshot.ts'
import { type Measured, runMeasured } from './measured-process.ts'

/** How many requests each front was asked. */
export type Requests = Readonly<Record<string, number>>

/** What one process did: what it cost, whom it asked, and what took the world time meanwhile. */
export interface Observed extends Measured {
  readonly requests: Requests
  readonly delays: readonly Delay[]
}

export interface BenchWorldOptions {
  readonly nodes: number
  /** How many times as fast as the wall the world's clock runs. */
  readonly speed: number
  readonly seed: number
  /** Whether the project has the snapshot already that nodes are made from. */
  readonly snapshot: boolean
}

/** A world with realistic latencies, and a cluster file to bring up in it. */
export class BenchWorld implements AsyncDisposable {
  readonly #sandbox: Sandbox
  readonly #folder: string
  readonly #environment: Readonly<Record<string, string>>

  private constructor(sandbox: Sandbox, folder: string, environment: Record<string, string>) {
    this.#sandbox = sandbox
    this.#folder = folder
    this.#environment = environment
  }

  static async start({ nodes, speed, seed, snapshot }: BenchWorldOptions): Promise<BenchWorld> {
    const folder = await mkdtemp(join(tmpdir(), 'hcloud-talos-bench-'))
    const path = process.env['PATH'] ?? ''
    const clock = createClock(speed)
    const sandbox = await startSandbox({ folder, path, clock, seed, latencies: 'realistic' })
    const identity = await generateX25519Identity()
    const file = benchCluster(nodes, await identityToRecipient(identity))
    await writeFile(join(folder, 'cluster.yaml'), file)
    if (snapshot) giveSnapshot(sandbox.world, file)
    return new BenchWorld(sandbox, folder, {
      ...sandboxEnvironment(sandbox.endpoints),
      PATH: path,
      HOME: folder,
      HCLOUD_TALOS_HELM: await extractHelm(),
      HCLOUD_TALOS_AGE_IDENTITY: identity,
    })
  }

  get clusterFile(): string {
    return join(this.#folder, 'cluster.yaml')
  }

  /** Runs a script of the product, and says what came of it. */
  async run(...args: readonly string[]): Promise<Observed> {
    const { world } = this.#sandbox
    world.requests.length = 0
    world.delays.length = 0
    const measured = await runMeasured(args, {
      folder: this.#folder,
      environment: this.#environment,
    })
    if (world.contractErrors.length > 0) throw new Error(world.contractErrors.join('\n'))
    return { ...measured, requests: countByFront(world.requests), delays: [...world.delays] }
  }

  /** What an apply has to bring up here. */
  shape(snapshot: boolean): Shape {
    const names = [...this.#sandbox.world.machines.values()].map(({ name }) => name)
    const controlPlanes = names.filter((name) => name.includes('-control-plane-')).sort()
    const [first = '', ...others] = controlPlanes
    return {
      builders: snapshot ? [] : ['demo-image-amd64'],
      loadBalancers: ['demo'],
      controlPlanes: [first, ...others],
      workers: names.filter((name) => name.includes('-workers-')),
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sandbox.close()
    await rm(this.#folder, { recursive: true, force: true })
  }
}

function countByFront(requests: readonly { readonly front: string }[]): Requests {
  const groups = Map.groupBy(requests, ({ front }) => front)
  return Object.fromEntries([...groups].map(([front, list]) => [front, list.length]))
}
