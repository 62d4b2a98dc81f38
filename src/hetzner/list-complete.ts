import type { RecordKind } from '../plan/record.ts'
import { readOrGone } from './apply/read-or-gone.ts'
import type { KnownResources } from './known-resources.ts'

/**
 * All resources of a kind, whoever owns them: a label selector would not show what somebody took a label off. What the
 * state knows by an id that no list shows, and the `others`, are asked for by that id.
 */
export async function listComplete<T extends { readonly id: number }>(
  kind: RecordKind,
  api: { list(): Promise<T[]>; get(id: number): Promise<T> },
  known: KnownResources | undefined,
  others: readonly number[] = [],
): Promise<T[]> {
  const listed = await api.list()
  const ids = new Set(listed.map(({ id }) => id))
  const recorded = [...(known?.ids ?? [])].flatMap(([key, id]) =>
    key.startsWith(`${kind}/`) ? [id] : [],
  )
  const missing = [...recorded, ...others].filter((id) => !ids.has(id))
  const found = await Promise.all(missing.map((id) => readOrGone(() => api.get(id))))
  return [...listed, ...found.filter((one) => one !== undefined)]
}
