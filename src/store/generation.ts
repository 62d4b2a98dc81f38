import { isJsonObject, type JsonObject } from '../lib/json.ts'
import type { Inventory } from '../plan/inventory.ts'
import { BranchShape } from './files/branch-shape.ts'
import { parseInventory } from './files/inventory-file.ts'
import { type JournalEntry, parseJournal } from './files/journal.ts'
import {
  type FileKind,
  fileKind,
  fileSubject,
  inventoryPath,
  isPayload,
  journalPath,
  secretsPath,
} from './files/layout.ts'
import { findMismatch, type Manifest, type Mismatch, parseJson } from './files/manifest.ts'
import type { SecretFiles } from './files/secret-files.ts'
import type { TreeEntry } from './git/object-reader.ts'
import type { PrivateRepository } from './git/private-repository.ts'
import { stateCorrupt, stateDamage } from './trust/state-damage.ts'
import { type StateExpectations, verifyManifest } from './trust/verify-manifest.ts'

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
  const shape = new BranchShape(await repository.listTree(commit))
  shape.assertOurs(options.branch)
  const own = shape.filesOf(options.cluster)
  if (own.size === 0) return undefined
  const files = await readFiles(repository, own, `${options.cluster}/`)
  const generation = verifyGeneration(commit, files, options, shape)
  // What only somebody with some key signed is not parsed to say whom it is for.
  if (options.trust.kind !== 'nobody')
    options.secretFiles.refuseStrangers(generation.manifest, files, generation.inventory.recipients)
  return generation
}

/** More files than any cluster has. */
const mostFiles = 5_000

/** What stands in no place of ours is not read: its name is all that is said of it. */
async function readFiles(
  repository: PrivateRepository,
  own: ReadonlyMap<string, TreeEntry>,
  folder: string,
): Promise<Map<string, Uint8Array>> {
  if (own.size > mostFiles) {
    const message = `there are ${own.size} files in the folder of the cluster`
    throw stateDamage('state-file-misplaced', folder, message)
  }
  const places = [...own].filter(([path]) => !isPayload(path) || fileKind(path) !== undefined)
  const contents = await repository.readObjects(places.map(([, { object }]) => object))
  const read = new Map(places.map(([path], index) => [path, contents[index] ?? nothing]))
  return new Map([...own.keys()].map((path) => [path, read.get(path) ?? nothing]))
}

const nothing = new Uint8Array()

/** Verifies files that were read, whoever can open them; in the shape of the branch copies are recognized. */
export function verifyGeneration(
  commit: string,
  files: ReadonlyMap<string, Uint8Array>,
  options: Omit<ReadOptions, 'branch'>,
  shape = new BranchShape(),
): Generation {
  const manifest = verifyManifest(files, options)
  const mismatch = findMismatch(manifest, payloadOf(files))
  if (mismatch) throw explainMismatch(mismatch, options.cluster, shape)
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

/** Names what was done to a file, as exactly as names and hashes tell: what it holds is nobody's word, and not read. */
function explainMismatch(
  { path, kind, origin }: Mismatch,
  cluster: string,
  shape: BranchShape,
): Error {
  const target = `${cluster}/${path}`
  if (kind === 'missing') {
    return stateDamage('state-file-missing', target, 'a file of the state is missing')
  }
  const twin = shape.copyElsewhere(cluster, path)
  if (twin !== undefined) {
    return stateDamage(
      'state-other-cluster',
      target,
      `the file is that of another cluster, ${twin}`,
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
