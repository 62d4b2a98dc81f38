import { alreadyUsed, notFound } from './api-error.ts'

/** The record with this id, or 404. */
export function findRecord<T>(records: ReadonlyMap<number, T>, id: number, what: string): T {
  const record = records.get(id)
  if (record === undefined) throw notFound(what, id)
  return record
}

/** 409 where another record of the same kind has this name. */
export function ensureNameFree(
  records: ReadonlyMap<number, { readonly id: number; readonly name: string | null }>,
  name: string | undefined,
  self?: number,
  message?: string,
): void {
  for (const record of records.values()) {
    if (record.name === name && record.id !== self) throw alreadyUsed('name', message)
  }
}
