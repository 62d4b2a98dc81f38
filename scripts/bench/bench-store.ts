import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateX25519Identity } from 'age-encryption'
import { createClock } from '../../src/lib/clock.ts'
import { systemRandom } from '../../src/lib/random.ts'
import { Redactor } from '../../src/lib/redactor.ts'
import { createBareRepository } from '../../src/sandbox/git/create-bare-repository.ts'
import { serveGit } from '../../src/sandbox/git/serve-git.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { StateStore } from '../../src/store/state-store.ts'
import { parseIdentities } from '../../src/store/trust/identity.ts'
import {
  benchBranch,
  benchCluster,
  benchRepository,
  type StateShape,
  writeHistory,
} from './state-history.ts'

/** What the state of one cluster costs on a branch of some shape, over HTTP on this machine. */
export interface StoreFigures extends StateShape {
  /** A run that reads it once, and what it fetches for that. */
  readonly readMs: number
  readonly readBytes: number
  /** One write of a run that has read it, and what it sends for that. */
  readonly publishMs: number
  readonly publishBytes: number
}

const shapes: readonly StateShape[] = [
  { generations: 1, clusters: 1 },
  { generations: 100, clusters: 1 },
  { generations: 1_000, clusters: 1 },
  { generations: 1, clusters: 20 },
  { generations: 1, clusters: 200 },
]
/** The least of several counts: what a busy machine adds is not the product's. */
const rounds = 5

/** Reads and writes states of several shapes through git's own server. */
export async function benchStore(log: (text: string) => void): Promise<StoreFigures[]> {
  const folder = await mkdtemp(join(tmpdir(), 'hcloud-talos-bench-store-'))
  const figures: StoreFigures[] = []
  try {
    for (const [index, shape] of shapes.entries()) {
      log(`${shape.generations} generations, ${shape.clusters} clusters`)
      const place = join(folder, String(index))
      await mkdir(place)
      figures.push(await benchShape(place, shape))
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return figures
}

async function benchShape(folder: string, shape: StateShape): Promise<StoreFigures> {
  const path = process.env['PATH'] ?? ''
  const remote = await createBareRepository(join(folder, 'state.git'), path)
  const secret = await generateX25519Identity()
  const [identity] = await parseIdentities(secret, new Redactor())
  await writeHistory(remote, shape, identity)
  const traffic = { sent: 0, received: 0 }
  const server = await serveGit({
    root: folder,
    users: { bench: { password: 'bench', access: 'write' } },
    path,
    onTraffic: ({ sent, received }) => {
      traffic.sent += sent
      traffic.received += received
    },
  })
  const open = () =>
    openStore({
      remote: `${server.url}/state.git`,
      credentials: { username: 'bench', password: 'bench' },
      repository: benchRepository,
      folder,
      branch: benchBranch,
      clusterName: benchCluster,
      recipients: [],
      identities: [identity],
      writer: { run: 'bench', attempt: 1, host: 'bench' },
      toolVersion: '0.0.0',
      clock: createClock(),
      random: systemRandom,
      redactor: new Redactor(),
      environment: process.env,
      temporaryFolder: folder,
    })
  const costs = { readMs: Infinity, readBytes: 0, publishMs: Infinity, publishBytes: 0 }
  try {
    for (let round = 0; round < rounds; round++) {
      const store = await open()
      Object.assign(traffic, { sent: 0, received: 0 })
      const readMs = await timed(() => store.read())
      costs.readBytes = traffic.sent
      Object.assign(traffic, { sent: 0, received: 0 })
      const publishMs = await timed(() => publish(store, round))
      costs.publishBytes = traffic.received
      costs.readMs = Math.min(costs.readMs, readMs)
      costs.publishMs = Math.min(costs.publishMs, publishMs)
      await store.close()
    }
  } finally {
    await server.close()
  }
  return { ...shape, ...costs }
}

async function publish(store: StateStore, round: number): Promise<void> {
  await store.record({ fact: 'upgrade-started', node: `round-${round}` })
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return Math.round(performance.now() - began)
}
