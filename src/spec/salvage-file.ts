import type { z } from 'zod'
import { type ClusterFile, clusterFileSchema } from './schema.ts'
import { valueAt, withValueAt } from './value-at.ts'
import type { Path } from './yaml-source.ts'

export interface SalvagedFile {
  /** The file with a stand-in for everything that is broken; undefined where too little is left. */
  readonly file: ClusterFile | undefined
  /** What is wrong, field by field. */
  readonly issues: readonly z.core.$ZodIssue[]
  /** The paths at which the file holds a stand-in. */
  readonly replaced: readonly Path[]
}

/**
 * Reads a file as far as it can be read, so that a mistake in one field does not hide the mistakes
 * between others. What is optional falls back to its default, what is needed to a stand-in.
 */
export function salvageFile(root: unknown): SalvagedFile {
  const first = clusterFileSchema.safeParse(root)
  if (first.success) return { file: first.data, issues: [], replaced: [] }
  const { issues } = first.error
  const replaced: Path[] = []
  let remaining: readonly z.core.$ZodIssue[] = issues
  let value = root
  // Each round mends what the one before laid open: a mapping that is put in needs its own fields.
  for (let round = 0; round < 8; round++) {
    const broken = remaining.flatMap((issue) => brokenPaths(issue, value))
    for (const path of broken) value = mend(value, path, replaced)
    const again = clusterFileSchema.safeParse(value)
    if (again.success) return { file: again.data, issues, replaced }
    remaining = again.error.issues
  }
  return { file: undefined, issues, replaced }
}

/** Unknown keys are simply taken out: nothing depends on them. */
function brokenPaths(issue: z.core.$ZodIssue, root: unknown, base: Path = []): Path[] {
  const path: Path = [...base, ...issue.path.map((part) => (typeof part === 'symbol' ? '' : part))]
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => [...path, key])
  if (issue.code !== 'invalid_union') return [path]
  const meant = issue.errors.find(
    (branch) => !branch.some((inner) => inner.code === 'invalid_type' && inner.path.length === 0),
  )
  return meant === undefined ? [path] : meant.flatMap((inner) => brokenPaths(inner, root, path))
}

function mend(root: unknown, path: Path, replaced: Path[]): unknown {
  if (path.length === 0) return root
  const standIn = standInFor(path)
  if (standIn !== undefined) {
    replaced.push(path)
    return withValueAt(root, path, standIn)
  }
  const holder = path.slice(0, -1)
  // An entry of a list cannot go alone, since those behind it would change their places. What is
  // missing and has no stand-in takes with it what cannot be without it.
  const goes = typeof path.at(-1) === 'number' || valueAt(root, path) === undefined ? holder : path
  if (goes !== path && goes.length > 0) return mend(root, goes, replaced)
  replaced.push(goes)
  return withValueAt(root, goes, undefined)
}

const standIns: readonly (readonly [pattern: string, value: unknown])[] = [
  ['clusterName', 'cluster'],
  ['hetzner', {}],
  ['hetzner.region', 'fsn1'],
  ['nodes', {}],
  ['nodes.controlPlane', {}],
  ['nodes.controlPlane.type', 'cx23'],
  ['nodes.workers.count', 0],
  ['nodes.workers.type', 'cx23'],
  ['nodes.workers.*.count', 0],
  ['nodes.workers.*.type', 'cx23'],
  ['nodes.workers.*.name', 'pool'],
  ['talos', {}],
  ['talos.version', 'v1.9.0'],
  ['kubernetes', {}],
  ['kubernetes.version', '1.32.0'],
]

function standInFor(path: Path): unknown {
  const pattern = path.map((step) => (typeof step === 'number' ? '*' : step)).join('.')
  return standIns.find(([known]) => known === pattern)?.[1]
}
