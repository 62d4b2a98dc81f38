import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Json } from '../../src/lib/json.ts'
import { sha256Hex, stableJson } from '../../src/sandbox/stable-json.ts'
import { isSystemError } from './is-system-error.ts'
import type { Workshop } from './workshop.ts'

/** A folder of the cache that follows from its inputs alone. */
export interface Artefact {
  readonly name: string
  /** Everything that it is made from: another value is another folder. */
  readonly inputs: Json
  /** Fills the empty folder. */
  readonly make: (folder: string) => Promise<void>
}

/** Where half-made artefacts lie, below the cache. */
const unfinished = 'unfinished'

/** The name of an artefact's folder in the cache: it exists if and only if the artefact is whole. */
export function artefactFolder({ name, inputs }: Pick<Artefact, 'name' | 'inputs'>): string {
  return `${name}-${sha256Hex(stableJson(inputs)).slice(0, 16)}`
}

/**
 * The absolute path of an artefact, made now if the cache does not have it. It is filled under another
 * name and renamed when whole, so a run that was killed, or another one, never leaves half of it.
 */
export async function makeArtefact(workshop: Workshop, artefact: Artefact): Promise<string> {
  const folder = artefactFolder(artefact)
  const path = join(workshop.cache, folder)
  if (await markUsed(path)) return path
  workshop.signal.throwIfAborted()
  const draft = join(workshop.cache, unfinished, `${folder}-${randomBytes(4).toString('hex')}`)
  await mkdir(draft, { recursive: true })
  const started = performance.now()
  try {
    await artefact.make(draft)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (await markUsed(path)) return path
    throw error
  }
  workshop.report(
    `${artefact.name}: made in ${Math.round((performance.now() - started) / 1_000)} s`,
  )
  return path
}

/** Removes what runs that were killed left unfinished. Only for who holds the lock of the cache. */
export async function removeUnfinished(cache: string): Promise<void> {
  await rm(join(cache, unfinished), { recursive: true, force: true })
}

/** Dates an artefact to its last use, which keeps it from being forgotten; false where there is none. */
async function markUsed(path: string): Promise<boolean> {
  try {
    const now = new Date()
    await utimes(path, now, now)
    return true
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return false
    throw error
  }
}
