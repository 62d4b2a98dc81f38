import { jsonEquals } from '../../lib/canonical-json.ts'
import type { RecordKind } from '../../plan/record.ts'
import { type Labels, mergeLabels } from '../ownership.ts'
import type { MakerContext } from './apply-context.ts'
import { byName } from './create-or-adopt.ts'
import { freeName, isNameTaken } from './free-name.ts'

interface Marked {
  readonly id: number
  readonly name: string
  readonly labels: Labels
}

interface MarkedApi {
  list(query: { readonly name: string }): Promise<readonly Marked[]>
  setLabels(id: number, labels: Labels): Promise<unknown>
  rename(id: number, name: string): Promise<unknown>
}

interface Restored {
  readonly kind: RecordKind
  readonly current: Marked
  readonly desired: { readonly name: string; readonly labels: Labels }
  readonly api: MarkedApi
}

/** Puts back a name and our labels, each only where it differs. Labels of others stay. */
export async function restoreMarks(
  { kind, current, desired, api }: Restored,
  context: MakerContext,
): Promise<void> {
  const { id, name, labels } = current
  const merged = mergeLabels(labels, desired.labels)
  if (!jsonEquals(merged, labels)) await api.setLabels(id, merged)
  if (name === desired.name) return
  await context.renames(async () => {
    try {
      await api.rename(id, desired.name)
    } catch (error) {
      const find = async () => byName(await api.list({ name: desired.name }), desired.name)
      const target = { kind, name: desired.name }
      const isFree =
        isNameTaken(error) && (await freeName(target, { find, rename: api.rename }, context))
      if (!isFree) throw error
      await api.rename(id, desired.name)
    }
  })
}
