import type { RecordKind } from '../../plan/record.ts'
import { isHetznerError } from '../api/hetzner-api-error.ts'
import type { OwnerContext } from './apply-context.ts'

export interface NameApi {
  /** The one that has a name now, whoever owns it. */
  find(): Promise<{ readonly id: number } | undefined>
  rename(id: number, name: string): Promise<unknown>
}

export function isNameTaken(error: unknown): boolean {
  return isHetznerError(error, 'uniqueness_error')
}

/**
 * Takes a name from another of ours that somebody gave it: that one is called by its id until its own update, or for
 * good where names are kept. A stranger keeps it. Resolves to whether it was taken. Only to be called as one of the
 * context's renames: one that has got its own name back meanwhile must not lose it again.
 */
export async function freeName(
  { kind, name }: { readonly kind: RecordKind; readonly name: string },
  { find, rename }: NameApi,
  { ids }: OwnerContext,
): Promise<boolean> {
  const holder = await find()
  if (!holder) return false
  const isAnother = [...ids].some(
    ([key, id]) => id === holder.id && key.startsWith(`${kind}/`) && !key.endsWith(`/${name}`),
  )
  if (isAnother) await rename(holder.id, `${kind}-${holder.id}`)
  return isAnother
}
