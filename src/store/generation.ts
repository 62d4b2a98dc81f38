import { isJsonObject, type JsonObject } from '../lib/json.ts'
import type { Inventory } from '../plan/inventory.ts'
import type { TreeEntry } from './git/object-reader.ts'
import type { PrivateRepository } from './git/private-repository.ts'
import { parseInventory } from './inventory-file.ts'
import { type JournalEntry, parseJournal } from './journal.ts'
import {
  type FileKind,
  fileKind,
  fileSubject,
  inventoryPath,
  isPayload,
  journalPath,
  secretsPath,
} from './layout.ts'
import { findMismatch, type Manifest, type Mismatch, parseJson } from './manifest.ts'
import type { SecretFiles } from './secret-files.ts'
import { stateCorrupt, stateDamage, stateForeign } from './state-damage.ts'
import { type StateExpectations, verifyManifest } from './verify-manifest.ts'

/** One verified generation of one cluster's state: everything in it that needs no key, and its files. */
export interface Generation {
  /** The commit that holds it. */
  readonly commit: string
  readonly manifest: Manifest
  readonly inventory: Inventory
  readonly journal: readonly JournalEntry[]
  readonly hasSecrets: boolean
  /** Names of the nodes whose machine configs are kept. */
  readonly nodeConfigs: readonly string[]
  /** Plans that were carried out, by digest. */
  readonly plans: ReadonlyMap<string, JsonObject>
  /** Contents by path in the cluster's folder, the manifest included; ciphertext where it is secret. */
  readonly files: ReadonlyMap<string, Uint8Array>
}

export interface ReadOptions extends StateExpectations {
  readonly branch: string
  readonly secretFiles: SecretFiles
}

/**
 * Reads and verifies the state of a cluster at a commit of the state branch; undefined when the branch is
 * ours and does not hold that cluster. Throws `state-foreign`, `state-recipients` and the codes of what is
 * not as it was written.
 */
export async function readGeneration(
  repository: PrivateRepository,
  commit: string,
  options: ReadOptions,
): Promise<Generation | undefined> {
  const entries = await repository.listTree(commit)
  assertOurs(entries, options.branch)
  const own = entries.filter(({ path }) => path.startsWith(`${options.cluster}/`))
  if (own.length === 0) return undefined
  const contents = await repository.readObjects(own.map(({ object }) => object))
  const files = new Map(
    own.map(({ path }, index) => [
      path.slice(options.cluster.length + 1),
      contents[index] ?? new Uint8Array(),
    ]),
  )
  const generation = await verifyGeneration(commit, files, options, entries)
  options.secretFiles.refuseStrangers(generation.manifest.recipients, files)
  return generation
}

/** Verifies files that were read, whoever can open them; `entries` are those of the whole branch, by which copies are recognized. */
export async function verifyGeneration(
  commit: string,
  files: ReadonlyMap<string, Uint8Array>,
  options: Omit<ReadOptions, 'branch'>,
  entries: readonly Pick<TreeEntry, 'path' | 'object'>[],
): Promise<Generation> {
  const manifest = verifyManifest(files, options)
  const mismatch = findMismatch(manifest, payloadOf(files))
  if (mismatch) throw await explainMismatch(mismatch, files, options, entries)
  return buildGeneration(commit, manifest, files)
}

/** Makes a generation of a manifest that is believed and its files. Throws `state-corrupt`. */
export function buildGeneration(
  commit: string,
  manifest: Manifest,
  files: ReadonlyMap<string, Uint8Array>,
): Generation {
  const { cluster, uid } = manifest
  const inventoryFile = files.get(inventoryPath)
  if (!inventoryFile) throw stateCorrupt(`${cluster}/${inventoryPath}`, 'its inventory is missing')
  const inventory = parseInventory(inventoryFile, `${cluster}/${inventoryPath}`)
  if (inventory.uid !== uid || inventory.clusterName !== cluster) {
    throw stateCorrupt(`${cluster}/${inventoryPath}`, 'its inventory is that of another cluster')
  }
  const journal = files.get(journalPath)
  return {
    commit,
    manifest,
    inventory,
    journal: journal ? parseJournal(journal, `${cluster}/${journalPath}`) : [],
    hasSecrets: files.has(secretsPath),
    nodeConfigs: subjects(files, 'node-config').map(([node]) => node),
    plans: new Map(
      subjects(files, 'plan').map(([digest, path]) => [digest, parsePlan(cluster, path, files)]),
    ),
    files,
  }
}

/** A cluster's files without manifest and signature. */
export function payloadOf(files: ReadonlyMap<string, Uint8Array>): Map<string, Uint8Array> {
  return new Map([...files].filter(([path]) => isPayload(path)))
}

/** Names what was done to a file, as exactly as can be told. */
async function explainMismatch(
  { path, kind, origin }: Mismatch,
  files: ReadonlyMap<string, Uint8Array>,
  { cluster, secretFiles }: Pick<ReadOptions, 'cluster' | 'secretFiles'>,
  entries: readonly Pick<TreeEntry, 'path' | 'object'>[],
): Promise<Error> {
  const target = `${cluster}/${path}`
  if (kind === 'missing') {
    return stateDamage('state-file-missing', target, 'a file of the state is missing')
  }
  const object = entries.find((entry) => entry.path === target)?.object
  const twin = entries.find(
    (entry) => entry.object === object && !entry.path.startsWith(`${cluster}/`),
  )
  if (twin) {
    return stateDamage(
      'state-other-cluster',
      target,
      `the file is that of another cluster, ${twin.path}`,
    )
  }
  if (kind === 'moved') {
    const message = `the file is the one that belongs at ${origin}`
    return stateDamage('state-file-misplaced', target, message)
  }
  if (kind === 'stranger') {
    const message = 'there is a file that the manifest of the state does not list'
    return stateDamage('state-file-misplaced', target, message)
  }
  if (await secretFiles.canOpen(path, files.get(path) ?? new Uint8Array())) {
    const message =
      'the file opens with our identity, and is not the one that was written: whoever knows a recipient can make such a file, or put a former one back'
    return stateDamage('state-file-forged', target, message)
  }
  return stateDamage('state-file-changed', target, 'a file of the state is not what was written')
}

function subjects(files: ReadonlyMap<string, Uint8Array>, kind: FileKind): [string, string][] {
  const paths = [...files.keys()].filter((path) => fileKind(path) === kind).sort()
  return paths.map((path) => [fileSubject(path) ?? path, path])
}

function parsePlan(
  cluster: string,
  path: string,
  files: ReadonlyMap<string, Uint8Array>,
): JsonObject {
  const plan = parseJson(files.get(path) ?? new Uint8Array(), `${cluster}/${path}`)
  if (!isJsonObject(plan)) throw stateCorrupt(`${cluster}/${path}`, 'a plan of it cannot be read')
  return plan
}

/** A state branch holds folders of clusters and nothing else: `state-foreign` for what is not so. */
export function assertOurs(entries: readonly TreeEntry[], branch: string): void {
  const folders = new Map<string, string[]>()
  for (const { path, mode } of entries) {
    const [folder = '', ...rest] = path.split('/')
    if (rest.length === 0) throw stateForeign(branch, `it has a file ${path} at its root`)
    if (mode !== '100644') throw stateForeign(branch, `${path} is not a plain file`)
    folders.set(folder, [...(folders.get(folder) ?? []), rest.join('/')])
  }
  for (const [folder, paths] of folders) {
    const known = paths.some((path) => !isPayload(path) || fileKind(path) !== undefined)
    if (!known) throw stateForeign(branch, `its folder ${folder} is not that of a cluster`)
  }
}
