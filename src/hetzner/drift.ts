import type { JsonObject } from '../lib/json.ts'
import type { ChangedByHand } from '../plan/diff-records.ts'
import { diffFields } from '../plan/diff-records.ts'
import { type ClusterRecord, type RecordKey, type RecordKind, recordKey } from '../plan/record.ts'
import { type HetznerKindTable, hetznerKinds, kindOf } from './kinds/hetzner-kinds.ts'

/** Something that somebody changed by hand, and that is left so. */
export interface KeptDrift {
  readonly kind: RecordKind
  readonly name: string
  readonly field: string
  readonly live: JsonObject[string]
  readonly desired: JsonObject[string]
}

export interface SettledDrift {
  /** What to compare: with what is kept taken for as it should be. */
  readonly desired: readonly ClusterRecord[]
  readonly live: readonly ClusterRecord[]
  readonly byHand: ChangedByHand
  readonly kept: readonly KeptDrift[]
}

export interface DriftOptions {
  /** What the last apply of each record asked for; nothing of those that are not known. */
  readonly applied: ReadonlyMap<RecordKey, JsonObject>
  readonly policy: 'restore' | 'keep'
  /** Names of servers that are replaced anyway: nothing of them is kept. */
  readonly replaced?: ReadonlySet<string>
  /** Names that others have taken, by kind (`server/demo-workers-1`): they cannot be put back. */
  readonly taken?: ReadonlySet<string>
  readonly kinds?: HetznerKindTable
}

/**
 * Tells what was changed by hand from what the file asks for now: a field in which live differs from what the
 * last apply asked for, and the file does not. Decides what of it is put back and what is kept. Pure.
 */
export function settleDrift(
  desired: readonly ClusterRecord[],
  live: readonly ClusterRecord[],
  options: DriftOptions,
): SettledDrift {
  const found = new Map(live.map((record) => [recordKey(record), record]))
  const settled = desired.map((wanted) => {
    const before = found.get(recordKey(wanted))
    return settle(wanted, before, options)
  })
  const liveByKey = new Map(
    settled.flatMap(({ live: one }) => (one ? [[recordKey(one), one] as const] : [])),
  )
  return {
    desired: settled.map(({ wanted }) => wanted),
    live: live.map((record) => liveByKey.get(recordKey(record)) ?? record),
    byHand: new Map(
      settled
        .filter(({ paths }) => paths.size > 0)
        .map(({ wanted, paths }) => [recordKey(wanted), paths]),
    ),
    kept: settled.flatMap(({ kept }) => kept),
  }
}

interface Settled {
  readonly wanted: ClusterRecord
  readonly live: ClusterRecord | undefined
  readonly paths: ReadonlySet<string>
  readonly kept: readonly KeptDrift[]
}

function settle(
  wanted: ClusterRecord,
  live: ClusterRecord | undefined,
  { applied, policy, replaced, taken, kinds = hetznerKinds }: DriftOptions,
): Settled {
  const former = applied.get(recordKey(wanted))
  const isReplaced = wanted.kind === 'server' && replaced?.has(wanted.name)
  if (!live || !former || isReplaced) return { wanted, live, paths: new Set(), kept: [] }
  const asked = new Set(diffFields(former, withoutImage(wanted.spec)).map(({ path }) => path))
  const paths = diffFields(live.spec, wanted.spec)
    .map(({ path }) => path)
    .filter((path) => !asked.has(path))
  const rules = kindOf(wanted, kinds).compare.drift
  const stays = [
    ...rules.neverRestored,
    ...(policy === 'keep' ? rules.keptByPolicy : []),
    ...(!rules.isNameRandom && isTaken(wanted, taken) ? ['name'] : []),
    ...rules.alsoKept(live),
  ]
  const fields = paths.filter((path) => stays.includes(path))
  const pick = ({ spec }: ClusterRecord) =>
    Object.fromEntries(fields.map((field) => [field, spec[field] ?? null]))
  return {
    wanted:
      fields.length === 0 ? wanted : { ...wanted, facts: { ...wanted.facts, kept: pick(live) } },
    live: { ...live, spec: { ...live.spec, ...pick(wanted) } },
    paths: new Set(paths),
    kept: fields.map((field) => ({
      kind: wanted.kind,
      name: wanted.name,
      field,
      live: live.spec[field] ?? null,
      desired: wanted.spec[field] ?? null,
    })),
  }
}

function isTaken({ kind, spec }: ClusterRecord, taken: ReadonlySet<string> | undefined): boolean {
  return taken?.has(`${kind}/${String(spec['name'])}`) === true
}

function withoutImage({ image: _, ...spec }: JsonObject): JsonObject {
  return spec
}
