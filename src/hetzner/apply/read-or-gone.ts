import { ClusterError } from '../../lib/cluster-error.ts'
import type { RecordKind } from '../../plan/record.ts'
import { isHetznerError } from '../api/hetzner-api-error.ts'

/** Undefined where Hetzner says for certain that it is not there; any other failure is thrown. */
export async function readOrGone<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (isHetznerError(error, 'not_found') && error.status === 404) return undefined
    throw error
  }
}

/** For updates: throws `plan-moved` where what the plan saw is no longer there. */
export async function readToUpdate<T>(
  { kind, name }: { readonly kind: RecordKind; readonly name: string },
  read: () => Promise<T>,
): Promise<T> {
  const found = await readOrGone(read)
  if (found !== undefined) return found
  throw new ClusterError('plan-moved', `the ${kind} ${name} is gone since the plan was made`, {
    operation: `update ${kind}`,
    target: name,
    hint: 'Plan again.',
  })
}
