import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import type { Inventory } from '../../src/plan/inventory.ts'
import type { Labels } from '../../src/sandbox/hetzner/labels.ts'
import { type TalosCluster, talosState } from '../../src/sandbox/talos/talos-state.ts'
import type { World } from '../../src/sandbox/world.ts'
import { parseInventory } from '../../src/store/files/inventory-file.ts'
import type { Bench } from './harness.ts'

const branch = 'hcloud-talos'

interface Holding {
  readonly id: number
  readonly name: string
  readonly labels: Labels
}

/** Everything that can be made by mistake and costs money or stands in the way, by kind. */
function resources({ hetzner }: World): Record<string, Holding[]> {
  const snapshots = [...hetzner.images.values()]
    .filter(({ type }) => type === 'snapshot')
    .map(({ id, description, labels }) => ({ id, name: description, labels }))
  return {
    servers: [...hetzner.servers.values()],
    networks: [...hetzner.networks.values()],
    firewalls: [...hetzner.firewalls.values()],
    placementGroups: [...hetzner.placementGroups.values()],
    loadBalancers: [...hetzner.loadBalancers.values()],
    sshKeys: [...hetzner.sshKeys.values()],
    volumes: [...hetzner.volumes.values()],
    snapshots,
  }
}

/** The load balancer's name ends in random digits: this is the part that tests can know. */
function withoutRandom(name: string): string {
  return name.replace(/-api-[0-9a-f]{32}$/, '-api-(random)')
}

/** The names of all that the project holds; kinds of which there is nothing are left out. */
export function holdings(world: World): Record<string, string[]> {
  const named = Object.entries(resources(world)).map(
    ([kind, all]) => [kind, all.map(({ name }) => withoutRandom(name)).sort()] as const,
  )
  return Object.fromEntries(named.filter(([, names]) => names.length > 0))
}

/** The same without snapshots, which are nobody's, for looking at what a cluster left. */
export function leftovers(world: World): Record<string, string[]> {
  const { snapshots: _, ...others } = holdings(world)
  return others
}

/** Fails unless everything carries the labels of this cluster, but for snapshots and what is named as others'. */
export function expectLabelled(
  world: World,
  { clusterName, uid }: Inventory,
  others: readonly string[] = [],
): void {
  const { snapshots: _, ...all } = resources(world)
  const unlike = Object.values(all)
    .flat()
    .filter(({ labels }) => labels['cluster'] !== clusterName || labels['uid'] !== uid)
    .map(({ name }) => name)
  expect(unlike.sort()).toEqual([...others].sort())
}

const run = promisify(execFile)

export async function git({ sandbox }: Bench, ...args: string[]): Promise<string> {
  const { stdout } = await run('git', ['-C', sandbox.endpoints.git.folder, ...args], {
    maxBuffer: 64 << 20,
  })
  return stdout
}

/** The refs of the bare repository, each with its commit. */
export async function refs(bench: Bench): Promise<Record<string, string>> {
  const text = await git(bench, 'for-each-ref', '--format=%(refname:short) %(objectname)')
  return Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const [ref, commit] = line.split(' ')
      return ref && commit ? [[ref, commit]] : []
    }),
  )
}

/** Puts the state branch somewhere else by plain git, as whoever may push can; takes it away without a commit. */
export async function setBranch(bench: Bench, commit: string | undefined): Promise<void> {
  const ref = `refs/heads/${branch}`
  await git(
    bench,
    ...(commit === undefined ? ['update-ref', '-d', ref] : ['update-ref', ref, commit]),
  )
}

/** Every file of the state branch, by path; none where there is no branch. */
export async function stateFiles(bench: Bench): Promise<Record<string, string>> {
  if (!((await refs(bench))[branch] ?? '')) return {}
  const paths = (await git(bench, 'ls-tree', '-r', '--name-only', branch)).split('\n')
  const files = paths.filter(Boolean).map(async (path) => {
    return [path, await git(bench, 'show', `${branch}:${path}`)] as const
  })
  return Object.fromEntries(await Promise.all(files))
}

/** What the repository has ever held, messages included, as one text. */
export function stateHistory(bench: Bench): Promise<string> {
  return git(bench, 'log', '--all', '--patch', '--text', '--format=fuller')
}

export async function inventoryOf(bench: Bench, cluster = 'demo'): Promise<Inventory> {
  const path = `${cluster}/inventory.json`
  const text = await git(bench, 'show', `${branch}:${path}`)
  return parseInventory(Buffer.from(text), path)
}

/** The clusters of Talos that ever were in this world, the newest last. */
export function talosClusters(world: World): TalosCluster[] {
  return [...talosState(world).clusters.values()]
}

/** The cluster that was made last. */
export function newestCluster(world: World): TalosCluster {
  const cluster = talosClusters(world).at(-1)
  if (cluster === undefined) throw new Error('no node was ever configured')
  return cluster
}

/** Requests that change nothing that lasts: a run's own rule, and the question whether the token may write. */
const passing = [
  /^(POST|DELETE) \/firewalls(\/\d+(\/actions\/remove_from_resources)?)?$/,
  /^PUT \/ssh_keys\/0$/,
]

/** What a piece of work asked of Hetzner that changes anything. */
export async function changesDuring(world: World, work: () => Promise<unknown>): Promise<string[]> {
  const before = world.requests.length
  await work()
  return world.requests
    .slice(before)
    .filter(({ front, method }) => front === 'hetzner' && method !== 'GET')
    .map(({ method, path }) => `${method} ${path}`)
    .filter((request) => !passing.some((pattern) => pattern.test(request)))
}

/** What is true of every world after any run that ended by itself. */
export async function expectTidy(bench: Bench): Promise<void> {
  const { world } = bench.sandbox
  expect(world.contractErrors).toEqual([])
  const locks = Object.keys(await refs(bench)).filter((ref) => ref.includes('-lock/'))
  expect(locks).toEqual([])
  const left = [...world.hetzner.firewalls.values(), ...world.hetzner.servers.values()]
    .filter(({ labels }) => ['access', 'image-builder'].includes(labels['component'] ?? ''))
    .map(({ name }) => name)
  expect(left).toEqual([])
}
