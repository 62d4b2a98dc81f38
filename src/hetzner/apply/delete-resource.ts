import { ClusterError } from '../../lib/cluster-error.ts'
import { waitFor } from '../../lib/wait-for.ts'
import { type ClusterRecord, kindTraits, recordKey } from '../../plan/record.ts'
import type { ApiAction } from '../api/actions.ts'
import { type HetznerApiError, isHetznerError } from '../api/hetzner-api-error.ts'
import type { HetznerClient } from '../api/hetzner-client.ts'
import { isOurs, type Labels } from '../ownership.ts'
import type { OwnerContext } from './apply-context.ts'
import { readOrGone } from './read-or-gone.ts'
import { type Tolerance, tolerate } from './tolerate.ts'

export interface Removal<T> {
  readonly record: ClusterRecord
  readonly read: (id: number) => Promise<T>
  /**
   * Whether what now stands under the id is still what the plan meant; ours by its uid by default. Not asked of
   * what the state recorded by its id: no label says more.
   */
  readonly isMeant?: (found: T) => boolean
  /** Lets go of others first. */
  readonly prepare?: (found: T) => Promise<void>
  readonly remove: (id: number) => Promise<readonly ApiAction[] | undefined>
  readonly tolerance: Tolerance
}

/**
 * Deletes what a record's facts point to, after a last look whose it is, and returns when it is gone.
 * What Hetzner holds on to for too long is reported as `leftovers`, to be tried again later.
 */
export async function deleteResource<T extends { readonly id: number; readonly labels: Labels }>(
  removal: Removal<T>,
  { client, identity, ids }: OwnerContext,
): Promise<void> {
  const { record, read } = removal
  const key = recordKey(record)
  const id = idOf(record)
  const found = await readOrGone(() => read(id))
  if (found) {
    const isMeant = removal.isMeant ?? (({ labels }) => isOurs(labels, identity.uid))
    if (!isRecorded(record) && !isMeant(found)) throw notOursError(record, id)
    await removal.prepare?.(found)
    await remove(removal, id, client)
    await waitUntilGone(record, () => read(id), client)
  }
  ids.delete(key)
}

async function remove<T>(
  { record, tolerance, remove: act }: Removal<T>,
  id: number,
  client: HetznerClient,
): Promise<void> {
  try {
    await tolerate(client, tolerance, async () => {
      const actions = await act(id)
      await client.waitForActions(actions ?? [], {
        operation: `delete ${record.kind}`,
        target: record.name,
      })
    })
  } catch (error) {
    if (!isHetznerError(error, 'resource_in_use', 'locked', 'conflict')) {
      throw isHetznerError(error) ? failedDelete(record, id, error) : error
    }
    throw new ClusterError(
      'leftovers',
      `Hetzner still reports that the ${record.kind} ${record.name} (id ${id}) is in use`,
      {
        operation: `delete ${record.kind}`,
        target: record.name,
        hint: 'Run again in some minutes: what is gone already stays gone.',
        cause: error,
      },
    )
  }
}

/** Hetzner's own texts name no resource. */
function failedDelete(
  { kind, name }: ClusterRecord,
  id: number,
  error: HetznerApiError,
): ClusterError {
  return new ClusterError(
    error.code,
    `the ${kindTraits[kind].words} ${name} (id ${id}) could not be deleted: ${error.message}`,
    {
      operation: `delete ${kind}`,
      target: name,
      hint: error.hint ?? 'Run again: what is gone already stays gone.',
      cause: error,
    },
  )
}

async function waitUntilGone(
  { kind, name }: ClusterRecord,
  read: () => Promise<unknown>,
  { clock, signal }: HetznerClient,
): Promise<void> {
  await waitFor(
    `the ${kind} ${name} to be gone`,
    async () =>
      (await readOrGone(read)) === undefined ? { done: true } : { pending: 'it is still there' },
    { clock, signal, everyMs: 2_000, withinMs: 300_000 },
  )
}

function isRecorded({ facts }: ClusterRecord): boolean {
  return facts?.['recorded'] === true
}

function idOf(record: ClusterRecord): number {
  const id = record.facts?.['id']
  if (typeof id !== 'number') throw new Error(`${recordKey(record)} was observed without an id`)
  return id
}

function notOursError({ kind, name }: ClusterRecord, id: number): ClusterError {
  return new ClusterError(
    'state-foreign',
    `the ${kind} ${name} (id ${id}) no longer carries this cluster's mark and is left alone`,
    {
      operation: `delete ${kind}`,
      target: name,
      hint: 'Find out whose it is, then plan again: somebody changed its labels.',
    },
  )
}
