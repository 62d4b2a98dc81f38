import type { AddonCluster } from '../lib/addon-cluster.ts'
import { createLimit } from '../lib/limit.ts'
import type { ObjectSet, SetResult } from '../lib/object-set.ts'
import type { PhaseProgress, Progress } from '../lib/progress.ts'
import type { Redactor } from '../lib/redactor.ts'
import type { Inventory } from '../plan/inventory.ts'
import type { ClusterSpec } from '../spec/cluster-spec.ts'
import type { AddonRelease } from './addon-release.ts'
import { type AddonTable, catalogue } from './catalogue.ts'
import {
  credentialsSet,
  credentialsSetName,
  type HetznerCredentials,
  needsCredentials,
} from './credentials.ts'
import { type InstallStep, installOrder } from './install-order.ts'
import type { ChartRenderer } from './render-chart.ts'

export interface ApplyAddonsOptions {
  readonly spec: ClusterSpec
  readonly uid: string
  /** Names of the nodes that this cluster should have. */
  readonly nodes: readonly string[]
  readonly credentials: HetznerCredentials
  readonly cluster: AddonCluster
  readonly renderer: ChartRenderer
  /** What was applied before: addons that are in it and no longer wanted are removed. */
  readonly recorded: Inventory['addons']
  /** Names of addons whose objects stay as somebody changed them: nothing of them is applied, nor waited for. */
  readonly left?: ReadonlySet<string>
  /** All that there are; the catalogue where absent. */
  readonly addons?: AddonTable
  readonly progress: Progress
  readonly redactor: Redactor
  /** How long the nodes, and then each addon, may take, in milliseconds; 15 and 10 minutes where absent. */
  readonly gateWithinMs?: number
  readonly readyWithinMs?: number
}

export interface AppliedAddons {
  /** For the inventory of the state branch. */
  readonly addons: Inventory['addons']
  /** How many objects were created, changed or removed; 0 when everything was in place. */
  readonly changes: number
}

/**
 * Brings the addons of a cluster to what the spec asks for: everything is rendered before anything is
 * changed, then applied in waves with one gate between (see `installOrder`), then what is no longer
 * wanted is removed. Safe to repeat, and to kill at any point. Throws `addon-failed`, `helm-failed`,
 * `kubernetes-refused`, `kubernetes-unreachable` and `wait-timeout`.
 */
export async function applyAddons(options: ApplyAddonsOptions): Promise<AppliedAddons> {
  const { spec, uid, nodes, cluster, credentials, recorded, redactor, addons } = options
  redactor.add(credentials.token)
  const steps = installOrder(spec, { uid, nodes }, addons)
  const releases = steps.flatMap((step) => (step.type === 'apply' ? step.releases : []))
  const sets = await renderAll(
    releases.filter((release) => !isLeft(release, options)),
    options,
  )
  const results: SetResult[] = []
  if (needsCredentials(spec, addons))
    results.push(await cluster.applySet(credentialsSet(credentials)))
  for (const step of steps) results.push(...(await take(step, sets, options)))
  results.push(...(await removeUnwanted(releases, options)))
  return {
    addons: Object.fromEntries(
      releases.map((release) => {
        const { addon, chart, digest } = release
        const former = isLeft(release, options) ? recorded[addon.name] : undefined
        return [addon.name, former ?? { version: chart.version, digest }]
      }),
    ),
    changes: results.reduce((sum, result) => sum + changesOf(result), 0),
  }
}

/** One that was never installed has nothing that could be left. */
function isLeft({ addon }: AddonRelease, { left, recorded }: ApplyAddonsOptions): boolean {
  return addon.name in recorded && (left?.has(addon.name) ?? false)
}

type Sets = ReadonlyMap<string, ObjectSet>

async function renderAll(
  releases: readonly AddonRelease[],
  { cluster, renderer, progress }: ApplyAddonsOptions,
): Promise<Sets> {
  if (releases.length === 0) return new Map()
  return inPhase(progress, 'Render the addons', async (phase) => {
    const capabilities = await cluster.capabilities()
    const limit = createLimit(2)
    const sets = await Promise.all(
      releases.map((release) => limit(() => renderer.render(release, capabilities))),
    )
    const objects = sets.reduce((sum, set) => sum + set.objects.length, 0)
    phase.succeed(`${objects} objects of ${sets.length} addons`)
    return new Map(sets.map((set) => [set.name, set]))
  })
}

async function take(
  step: InstallStep,
  sets: Sets,
  options: ApplyAddonsOptions,
): Promise<SetResult[]> {
  if (step.type === 'gate') {
    await waitAtGate(step, options)
    return []
  }
  const releases = step.releases.filter((release) => !isLeft(release, options))
  if (step.type === 'apply') {
    return Promise.all(releases.map((release) => applyRelease(release, sets, options)))
  }
  for (const release of releases) await waitForRelease(release, sets, options)
  return []
}

async function applyRelease(
  { addon, chart }: AddonRelease,
  sets: Sets,
  { cluster, progress }: ApplyAddonsOptions,
): Promise<SetResult> {
  return inPhase(progress, `Apply ${addon.title} ${chart.version}`, async (phase) => {
    const results: SetResult[] = []
    if (addon.namespace !== 'kube-system') {
      results.push(await cluster.applySet(namespaceSet(addon.namespace, addon.namespaceLabels)))
    }
    results.push(await cluster.applySet(setOf(sets, addon.name), (step) => phase.step(step)))
    const result = mergeResults(results)
    for (const { kind, name } of result.kept) {
      progress.warn(`${kind} ${name} is not part of ${addon.title} any more, and was left alone`)
    }
    phase.succeed(describeResult(result))
    return result
  })
}

async function waitAtGate(
  { requirements }: Extract<InstallStep, { type: 'gate' }>,
  { cluster, progress, gateWithinMs = 15 * 60_000 }: ApplyAddonsOptions,
): Promise<void> {
  await inPhase(progress, 'Wait for usable nodes', async (phase) => {
    await cluster.waitForGate(requirements, {
      withinMs: gateWithinMs,
      onPending: (reason) => phase.step(reason),
    })
    phase.succeed(`${requirements.nodes.length} nodes`)
  })
}

async function waitForRelease(
  { addon }: AddonRelease,
  sets: Sets,
  { cluster, progress, nodes, readyWithinMs = 10 * 60_000 }: ApplyAddonsOptions,
): Promise<void> {
  await inPhase(progress, `Wait for ${addon.title}`, async (phase) => {
    const wait = { withinMs: readyWithinMs, onPending: (reason: string) => phase.step(reason) }
    for (const probe of addon.probes) {
      if (probe.type === 'csi-driver') {
        await cluster.waitForCsiDriver(probe.driver, nodes, wait)
        continue
      }
      const foreign = await cluster.foreignUnready(nodes)
      for (const name of foreign) {
        progress.warn(
          `node ${name} is not of this plan and not Ready: ${addon.title} goes on without it`,
        )
      }
      await cluster.waitForSet(setOf(sets, addon.name), { ...wait, excusedPods: foreign.length })
    }
    phase.succeed()
  })
}

async function removeUnwanted(
  releases: readonly AddonRelease[],
  { spec, cluster, progress, recorded, addons = catalogue }: ApplyAddonsOptions,
): Promise<SetResult[]> {
  const wanted = new Set<string>(releases.map(({ addon }) => addon.name))
  // Last installed, first removed.
  const unwanted = Object.keys(addons)
    .filter((name) => name in recorded && !wanted.has(name))
    .reverse()
  if (unwanted.length > 0 && !needsCredentials(spec, addons)) unwanted.push(credentialsSetName)
  const results: SetResult[] = []
  for (const name of unwanted) {
    await inPhase(progress, `Remove ${name}`, async (phase) => {
      const result = await cluster.removeSet(name)
      results.push(result)
      phase.succeed(describeResult(result))
    })
  }
  return results
}

function namespaceSet(name: string, labels: Readonly<Record<string, string>>): ObjectSet {
  return {
    name: `namespace-${name}`,
    namespace: name,
    objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } }],
    hooks: { before: [], after: [] },
  }
}

function setOf(sets: Sets, name: string): ObjectSet {
  const set = sets.get(name)
  if (!set) throw new Error(`${name} was not rendered`)
  return set
}

async function inPhase<T>(
  progress: Progress,
  title: string,
  run: (phase: PhaseProgress) => Promise<T>,
): Promise<T> {
  const phase = progress.phase(title)
  try {
    return await run(phase)
  } catch (error) {
    phase.fail(error instanceof Error ? error.message : String(error))
    throw error
  }
}

function mergeResults(results: readonly SetResult[]): SetResult {
  return {
    created: results.flatMap((result) => result.created),
    changed: results.flatMap((result) => result.changed),
    removed: results.flatMap((result) => result.removed),
    kept: results.flatMap((result) => result.kept),
    unchanged: results.reduce((sum, result) => sum + result.unchanged, 0),
  }
}

function changesOf({ created, changed, removed }: SetResult): number {
  return created.length + changed.length + removed.length
}

function describeResult(result: SetResult): string {
  const parts = (['created', 'changed', 'removed'] as const)
    .filter((name) => result[name].length > 0)
    .map((name) => `${result[name].length} ${name}`)
  return parts.length === 0 ? 'nothing to do' : parts.join(', ')
}
