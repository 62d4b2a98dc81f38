import type { z } from 'zod'
import { valueAt, withoutKeys, withValueAt } from '../yaml/value-at.ts'
import type { Path } from '../yaml/yaml-source.ts'
import type { FileForm } from './file-form.ts'

export interface SalvagedFile<File> {
  /** The file with a stand-in for everything that is broken; undefined where too little is left. */
  readonly file: File | undefined
  /** What is wrong, field by field. */
  readonly issues: readonly z.core.$ZodIssue[]
  /** The paths at which the file holds a stand-in. */
  readonly replaced: readonly Path[]
}

/**
 * Reads a file as far as it can be read, so that a mistake in one field does not hide the mistakes
 * between others. What is optional falls back to its default, what is needed to a stand-in.
 */
export function salvageFile<File>(root: unknown, form: FileForm<File>): SalvagedFile<File> {
  const { schema, standIns } = form
  const first = schema.safeParse(root)
  if (first.success) return { file: first.data, issues: [], replaced: [] }
  const { issues } = first.error
  const replaced: Path[] = []
  let remaining: readonly z.core.$ZodIssue[] = issues
  let value = root
  // Each round fixes what the one before laid open: a mapping that is put in needs its own fields.
  for (let round = 0; round < 8; round++) {
    const broken = remaining.flatMap((issue) => breaches(issue))
    for (const breach of broken) value = repair(value, breach, { replaced, standIns })
    const again = schema.safeParse(value)
    if (again.success) return { file: again.data, issues, replaced }
    remaining = again.error.issues
  }
  return { file: undefined, issues, replaced }
}

/** What is to be fixed: a value, or the keys that a mapping must not have. */
interface Breach {
  readonly path: Path
  readonly unknownKeys?: readonly string[]
}

function breaches(issue: z.core.$ZodIssue, base: Path = []): Breach[] {
  const path: Path = [...base, ...issue.path.map((part) => (typeof part === 'symbol' ? '' : part))]
  if (issue.code === 'unrecognized_keys') return [{ path, unknownKeys: issue.keys }]
  if (issue.code !== 'invalid_union') return [{ path }]
  const meant = issue.errors.find(
    (branch) => !branch.some((inner) => inner.code === 'invalid_type' && inner.path.length === 0),
  )
  return meant === undefined ? [{ path }] : meant.flatMap((inner) => breaches(inner, path))
}

interface Repair extends Pick<FileForm<unknown>, 'standIns'> {
  /** Where something was put in, or taken out; grows. */
  readonly replaced: Path[]
}

function repair(root: unknown, { path, unknownKeys }: Breach, work: Repair): unknown {
  const { replaced, standIns } = work
  // Nothing depends on keys that nobody knows.
  if (unknownKeys) return withoutKeys(root, path, unknownKeys)
  if (path.length === 0) return root
  const standIn = standInFor(path, standIns)
  if (standIn !== undefined) {
    replaced.push(path)
    return withValueAt(root, path, standIn)
  }
  const holder = path.slice(0, -1)
  // An entry of a list cannot go alone, since those behind it would change their places. What is
  // missing and has no stand-in takes with it what cannot be without it.
  const isEntry = typeof path.at(-1) === 'number'
  if (holder.length > 0 && (isEntry || valueAt(root, path) === undefined)) {
    return repair(root, { path: holder }, work)
  }
  replaced.push(path)
  return withValueAt(root, path, undefined)
}

function standInFor(path: Path, standIns: Repair['standIns']): unknown {
  const pattern = path.map((step) => (typeof step === 'number' ? '*' : step)).join('.')
  return standIns.find(([known]) => known === pattern)?.[1]
}
