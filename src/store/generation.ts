import { isJsonObject, type Json } from '../lib/json.ts'
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
  journalPath,
  manifestPath,
  secretsPath,
} from './layout.ts'
import { type Manifest, parseJson, parseManifest, verifyFiles } from './manifest.ts'
import { stateCorrupt, stateForeign } from './state-damage.ts'

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
  /** Approved plans by digest. */
  readonly plans: ReadonlyMap<string, Json>
  /** Contents by path in the cluster's folder, the manifest included; ciphertext where it is secret. */
  readonly files: ReadonlyMap<string, Uint8Array>
}

/**
 * Reads and verifies the state of a cluster at a commit of the state branch; undefined when the branch is
 * ours and does not hold that cluster. Throws `state-foreign` and `state-corrupt`.
 */
export async function readGeneration(
  repository: PrivateRepository,
  commit: string,
  { branch, cluster }: { branch: string; cluster: string },
): Promise<Generation | undefined> {
  const entries = await repository.listTree(commit)
  assertOurs(entries, branch)
  const own = entries.filter(({ path }) => path.startsWith(`${cluster}/`))
  if (own.length === 0) return undefined
  const contents = await repository.readObjects(own.map(({ object }) => object))
  const files = new Map(
    own.map(({ path }, index) => [
      path.slice(cluster.length + 1),
      contents[index] ?? new Uint8Array(),
    ]),
  )
  return buildGeneration(commit, cluster, files)
}

/** Makes a generation of the files of a cluster's folder, verified. Throws `state-corrupt`. */
export function buildGeneration(
  commit: string,
  cluster: string,
  files: ReadonlyMap<string, Uint8Array>,
): Generation {
  const { manifest, inventory } = readPublicFiles(cluster, files)
  if (inventory.uid !== manifest.uid || inventory.clusterName !== cluster) {
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

function readPublicFiles(
  cluster: string,
  files: ReadonlyMap<string, Uint8Array>,
): { manifest: Manifest; inventory: Inventory } {
  const manifestFile = files.get(manifestPath)
  if (!manifestFile) throw stateCorrupt(`${cluster}/${manifestPath}`, 'its manifest is missing')
  const manifest = parseManifest(manifestFile, cluster)
  verifyFiles(manifest, new Map([...files].filter(([path]) => path !== manifestPath)))
  const inventoryFile = files.get(inventoryPath)
  if (!inventoryFile) throw stateCorrupt(`${cluster}/${inventoryPath}`, 'its inventory is missing')
  return { manifest, inventory: parseInventory(inventoryFile, `${cluster}/${inventoryPath}`) }
}

function subjects(files: ReadonlyMap<string, Uint8Array>, kind: FileKind): [string, string][] {
  const paths = [...files.keys()].filter((path) => fileKind(path) === kind).sort()
  return paths.map((path) => [fileSubject(path) ?? path, path])
}

function parsePlan(cluster: string, path: string, files: ReadonlyMap<string, Uint8Array>): Json {
  const plan = parseJson(files.get(path) ?? new Uint8Array(), `${cluster}/${path}`)
  if (!isJsonObject(plan)) throw stateCorrupt(`${cluster}/${path}`, 'a plan of it cannot be read')
  return plan
}

/** A state branch holds folders of clusters and nothing else. */
function assertOurs(entries: readonly TreeEntry[], branch: string): void {
  const folders = new Map<string, string[]>()
  for (const { path, mode } of entries) {
    const [folder = '', ...rest] = path.split('/')
    if (rest.length === 0) throw stateForeign(branch, `it has a file ${path} at its root`)
    if (mode !== '100644') throw stateForeign(branch, `${path} is not a plain file`)
    folders.set(folder, [...(folders.get(folder) ?? []), rest.join('/')])
  }
  for (const [folder, paths] of folders) {
    const known = paths.some((path) => path === manifestPath || fileKind(path) !== undefined)
    if (!known) throw stateForeign(branch, `its folder ${folder} is not that of a cluster`)
  }
}
