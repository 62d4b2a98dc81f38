import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts'
import type { StateReader, WrittenCluster, WrittenFact } from './written-state.ts'

const ref = 'refs/heads/hcloud-talos'
const run = promisify(execFile)

/**
 * Reads what can be read without a key of a state branch, by plain git; at most once for each of its
 * commits.
 */
export function readStateBranch(folder: string, path: string): StateReader {
  let known: { commit: string; clusters: Promise<ReadonlyMap<string, WrittenCluster>> } | undefined
  const git = async (...args: readonly string[]) => {
    const environment = { PATH: path, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }
    const options = { env: environment, maxBuffer: 64 << 20 }
    const { stdout } = await run('git', [`--git-dir=${folder}`, ...args], options)
    return stdout
  }
  return async () => {
    const commit = (await readCommit(folder)) ?? ''
    if (known?.commit !== commit) known = { commit, clusters: readClusters(git, commit) }
    return known.clusters
  }
}

/** Everything that a repository holds, what no ref reaches included, as one text. */
export async function readRepository(folder: string, path: string): Promise<string> {
  const args = [`--git-dir=${folder}`, 'cat-file', '--batch', '--batch-all-objects', '--unordered']
  const { stdout } = await run('git', args, { env: { PATH: path }, maxBuffer: 512 << 20 })
  return stdout
}

async function readCommit(folder: string): Promise<string | undefined> {
  const loose = await readFile(join(folder, ref), 'utf8').catch(() => undefined)
  if (loose !== undefined) return loose.trim()
  const packed = await readFile(join(folder, 'packed-refs'), 'utf8').catch(() => '')
  return packed
    .split('\n')
    .find((line) => line.endsWith(` ${ref}`))
    ?.split(' ')[0]
}

async function readClusters(
  git: (...args: readonly string[]) => Promise<string>,
  commit: string,
): Promise<ReadonlyMap<string, WrittenCluster>> {
  if (commit === '') return new Map()
  const paths = (await git('ls-tree', '-r', '--name-only', commit)).split('\n')
  const names = new Set(paths.flatMap((file) => /^([^/]+)\/manifest\.json$/.exec(file)?.[1] ?? []))
  const read = async (file: string) =>
    paths.includes(file) ? parse(await git('cat-file', 'blob', `${commit}:${file}`)) : undefined
  const clusters = [...names].map(async (name): Promise<[string, WrittenCluster]> => {
    const [journal, inventory] = await Promise.all([
      read(`${name}/journal.json`),
      read(`${name}/inventory.json`),
    ])
    return [name, { facts: factsOf(journal), nodes: nodesOf(inventory) }]
  })
  return new Map(await Promise.all(clusters))
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: Json = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Undefined for what is sealed, or damaged by a test. */
function factsOf(journal: JsonObject | undefined): WrittenFact[] | undefined {
  const entries = journal?.['entries']
  if (!Array.isArray(entries)) return undefined
  return entries.filter(isJsonObject).map(({ fact, node, at, run: writer }) => ({
    fact: String(fact),
    ...(typeof node === 'string' ? { node } : {}),
    at: String(at),
    run: String(writer),
  }))
}

function nodesOf(inventory: JsonObject | undefined): string[] | undefined {
  const nodes = inventory?.['nodes']
  if (!Array.isArray(nodes)) return undefined
  return nodes.filter(isJsonObject).map(({ name }) => String(name))
}
