import { isDeepStrictEqual } from 'node:util'
import type { AddonCluster } from '../lib/addon-cluster.ts'
import type { ObjectSet, SetResult } from '../lib/object-set.ts'
import type { PhaseProgress, Progress } from '../lib/progress.ts'
import type { Redactor } from '../lib/redactor.ts'
import type { Inventory, InventoryAddon } from '../plan/inventory.ts'
import type { CommonSpec } from '../spec/common-spec.ts'
import type { AddonRelease } from './addon-release.ts'
import type { AddonsOf } from './catalogue.ts'
import {
  credentialsSet,
  credentialsSetName,
  type HetznerCredentials,
  needsCredentials,
} from './credentials.ts'
import { type InstallStep, installOrder } from './install-order.ts'
import { namespaceSet } from './namespace-set.ts'
import { refuseConflicts } from './refuse-conflicts.ts'
import { removalOrder } from './removal-order.ts'
import type { AddonRenderer, RenderedAddon } from './render-addon.ts'
import { recordOf, startedRecord } from './render-releases.ts'
import { renderWanted, type WantedAddons } from './render-wanted.ts'
import type { AddonNamespaces } from './sort-namespaces.ts'

export interface ApplyAddonsOptions<Spec extends CommonSpec> extends AppliedOptions {
  readonly spec: Spec
  readonly addonsOf: AddonsOf<Spec>
  readonly uid: string
  /** What addons reach Hetzner with; undefined in a mode that has none which do. */
  readonly credentials: HetznerCredentials | undefined
}

/** What it takes to apply addons that are chosen. */
interface AppliedOptions {
  /** Names of the nodes that this cluster should have. */
  readonly nodes: readonly string[]
  readonly cluster: AddonCluster
  readonly renderer: AddonRenderer
  /** What was applied before: addons that are in it and no longer wanted are removed. */
  readonly recorded: Inventory['addons']
  /** Names of addons whose objects stay as somebody changed them: nothing of them is applied, nor waited for. */
  readonly left?: ReadonlySet<string>
  /** Called before the first change with what the state should know from then on, where it does not yet. */
  readonly onStart?: (addons: Inventory['addons']) => Promise<void>
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
export async function applyAddons<Spec extends CommonSpec>(
  options: ApplyAddonsOptions<Spec>,
): Promise<AppliedAddons> {
  const { spec, addonsOf, uid, nodes, cluster, credentials, recorded, redactor } = options
  if (credentials) redactor.add(credentials.token)
  const steps = installOrder(spec, { uid, nodes }, addonsOf)
  const releases = steps.flatMap((step) => (step.type === 'apply' ? step.releases : []))
  const applied = releases.filter((release) => !isLeft(release, options))
  const { sets, namespaces } = await renderAll(releases, applied, options)
  await writeDown(applied, sets, options)
  const results: SetResult[] = []
  const usesHetzner = needsCredentials(spec, addonsOf)
  if (usesHetzner) results.push(await cluster.applySet(credentialsSet(required(credentials))))
  // Kinds come first of all: objects of theirs may be in any addon, and they need no node.
  for (const set of sets.values()) results.push(await cluster.applyDefinitions(set))
  for (const step of steps) results.push(...(await take(step, { sets, namespaces }, options)))
  const wanted = new Set<string>(releases.map(({ addon }) => addon.name))
  const unwanted = removalOrder(recorded, Object.keys(addonsOf(spec))).filter(
    (name) => !wanted.has(name),
  )
  if (unwanted.length > 0 && !usesHetzner) unwanted.push(credentialsSetName)
  results.push(...(await removeSets(unwanted, options)))
  return {
    addons: Object.fromEntries(
      releases.map((release) => {
        const { name } = release.addon
        const former = isLeft(release, options) ? recorded[name] : undefined
        return [name, former ?? recordOf(release, sets.get(name))]
      }),
    ),
    changes: results.reduce((sum, result) => sum + changesOf(result), 0),
  }
}

/** One that was never installed has nothing that could be left. */
function isLeft({ addon }: AddonRelease, { left, recorded }: AppliedOptions): boolean {
  return addon.name in recorded && (left?.has(addon.name) ?? false)
}

/** Writes down what is about to be applied, where the state does not know it yet. */
async function writeDown(
  applied: readonly AddonRelease[],
  sets: Sets,
  { recorded, onStart }: AppliedOptions,
): Promise<void> {
  const started = Object.fromEntries(
    applied.map((release) => {
      const { name } = release.addon
      return [name, startedRecord(release, sets.get(name), recorded[name])]
    }),
  )
  const isNews = ([name, record]: [string, InventoryAddon]) =>
    !isDeepStrictEqual(record, recorded[name])
  if (Object.entries(started).some(isNews)) await onStart?.({ ...recorded, ...started })
}

type Sets = ReadonlyMap<string, RenderedAddon>

async function renderAll(
  releases: readonly AddonRelease[],
  applied: readonly AddonRelease[],
  { cluster, renderer, recorded, progress }: AppliedOptions,
): Promise<WantedAddons> {
  if (applied.length === 0) return { sets: new Map(), namespaces: new Map() }
  return inPhase(progress, 'Render the addons', async (phase) => {
    const capabilities = await cluster.capabilities()
    const options = { rendered: applied, renderer, capabilities, recorded }
    const { sets, namespaces } = await renderWanted(releases, options)
    refuseConflicts(sets.values())
    const objects = [...sets.values()].reduce((sum, set) => sum + set.objects.length, 0)
    phase.succeed(`${objects} objects of ${sets.size} addons`)
    for (const { name, leftOut } of sets.values()) {
      if (leftOut.length > 0)
        progress.warn(`hooks of ${name} are not run when it is removed: ${leftOut.join(', ')}`)
    }
    return { sets, namespaces }
  })
}

async function take(
  step: InstallStep,
  { sets, namespaces }: WantedAddons,
  options: AppliedOptions,
): Promise<SetResult[]> {
  if (step.type === 'gate') {
    await waitAtGate(step, options)
    return []
  }
  const releases = step.releases.filter((release) => !isLeft(release, options))
  if (step.type === 'apply') {
    const created = await applyNamespaces(releases, namespaces, options)
    const applied = await Promise.all(releases.map((one) => applyRelease(one, sets, options)))
    return [...created, ...applied]
  }
  for (const release of releases) await waitForRelease(release, sets, options)
  return []
}

/** A namespace that several addons have is applied once. */
async function applyNamespaces(
  releases: readonly AddonRelease[],
  namespaces: AddonNamespaces,
  { cluster }: AppliedOptions,
): Promise<SetResult[]> {
  const names = new Set(releases.map(({ addon }) => addon.namespace))
  const wanted = [...namespaces].filter(([name]) => names.has(name))
  return Promise.all(
    wanted.map(([name, metadata]) => cluster.applySet(namespaceSet(name, metadata))),
  )
}

async function applyRelease(
  { addon, version, content }: AddonRelease,
  sets: Sets,
  { cluster, progress }: AppliedOptions,
): Promise<SetResult> {
  const what = content.type === 'chart' ? `${addon.title} ${version}` : addon.title
  return inPhase(progress, `Apply ${what}`, async (phase) => {
    const result = await cluster.applySet(setOf(sets, addon.name), (step) => phase.step(step))
    warnOfKept(addon.title, result, progress)
    phase.succeed(describeResult(result))
    return result
  })
}

function warnOfKept(title: string, { kept }: SetResult, progress: Progress): void {
  for (const { kind, name } of kept) {
    progress.warn(`${kind} ${name} is not part of ${title} any more, and was left alone`)
  }
}

async function waitAtGate(
  { requirements }: Extract<InstallStep, { type: 'gate' }>,
  { cluster, progress, gateWithinMs = 15 * 60_000 }: AppliedOptions,
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
  { cluster, progress, nodes, readyWithinMs = 10 * 60_000 }: AppliedOptions,
): Promise<void> {
  await inPhase(progress, `Wait for ${addon.title}`, async (phase) => {
    const withinMs = addon.withinMs ?? readyWithinMs
    const wait = { withinMs, onPending: (reason: string) => phase.step(reason) }
    for (const probe of addon.probes) {
      if (probe.type === 'csi-driver') {
        await cluster.waitForCsiDriver(probe.driver, nodes, wait)
        continue
      }
      if (probe.type === 'conditions') {
        await cluster.waitForConditions(addon.title, probe.objects, wait)
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

async function removeSets(
  names: readonly string[],
  { cluster, progress }: AppliedOptions,
): Promise<SetResult[]> {
  const results: SetResult[] = []
  for (const name of names) {
    await inPhase(progress, `Remove ${name}`, async (phase) => {
      const result = await cluster.removeSet(name)
      results.push(result)
      warnOfKept(name, result, progress)
      phase.succeed(describeResult(result))
    })
  }
  return results
}

/** A mode whose addons use Hetzner has a token of it. */
function required(credentials: HetznerCredentials | undefined): HetznerCredentials {
  if (!credentials) throw new Error('addons of Hetzner are installed without a token')
  return credentials
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

function changesOf({ created, changed, removed }: SetResult): number {
  return created.length + changed.length + removed.length
}

function describeResult(result: SetResult): string {
  const parts = (['created', 'changed', 'removed'] as const)
    .filter((name) => result[name].length > 0)
    .map((name) => `${result[name].length} ${name}`)
  return parts.length === 0 ? 'nothing to do' : parts.join(', ')
}
