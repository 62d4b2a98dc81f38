import { jsonEquals } from '../../lib/canonical-json.ts'
import { type Labels, mergeLabels } from '../ownership.ts'

interface Marked {
  readonly id: number
  readonly name: string
  readonly labels: Labels
}

/** Puts back a name and our labels, each only where it differs. Labels of others stay. */
export async function restoreMarks(
  { id, name, labels }: Marked,
  desired: { readonly name: string; readonly labels: Labels },
  api: {
    setLabels(id: number, labels: Labels): Promise<unknown>
    rename(id: number, name: string): Promise<unknown>
  },
): Promise<void> {
  const merged = mergeLabels(labels, desired.labels)
  if (!jsonEquals(merged, labels)) await api.setLabels(id, merged)
  if (name !== desired.name) await api.rename(id, desired.name)
}
