import { waitFor } from '../../lib/wait-for.ts'
import { type RecordKey, type RecordKind, recordKey } from '../../plan/record.ts'
import type { ApiAction } from '../api/actions.ts'
import { HetznerApiError } from '../api/hetzner-api-error.ts'
import { foreignError, isOurs, type Labels } from '../ownership.ts'
import type { MakerContext, OwnerContext } from './apply-context.ts'
import { freeName, isNameTaken } from './free-name.ts'
import { readOrGone } from './read-or-gone.ts'

interface Named {
  readonly id: number
  readonly name: string
  readonly labels: Labels
  readonly status?: string
}

export interface Creation<T extends Named> {
  readonly kind: RecordKind
  readonly name: string
  /** The one that has this name now, whoever owns it. */
  find(): Promise<T | undefined>
  read(id: number): Promise<T>
  /** For kinds of which a cluster has several: another of ours may have been given this name. */
  rename?(id: number, name: string): Promise<unknown>
  create(): Promise<{ readonly resource: T; readonly actions: readonly ApiAction[] }>
}

export interface Created<T> {
  readonly resource: T
  /** Still to be waited for; empty where it was adopted. */
  readonly actions: readonly ApiAction[]
  readonly adopted: boolean
}

/** Asked again at most this often, after answers that were lost. */
const attempts = 3

/**
 * Makes something whose name is unique in the project, exactly once. If the name is taken, or the
 * answer was lost, it looks who has the name: ours is adopted, another's stops the run with
 * `state-foreign`. Never asks again without having looked.
 */
export async function createOrAdopt<T extends Named>(
  creation: Creation<T>,
  context: MakerContext,
): Promise<Created<T>> {
  const key: RecordKey = recordKey(creation)
  const id = context.ids.get(key)
  if (id !== undefined) {
    const known = await goOnWith(creation, id, context)
    if (known) return known
  }
  for (let attempt = 1; ; attempt++) {
    try {
      const { resource, actions } = await creation.create()
      context.ids.set(key, resource.id)
      return { resource, actions, adopted: false }
    } catch (error) {
      if (!mayExist(error)) throw error
      const found = await adopt(creation, context)
      if (found) return found
      if (attempt === attempts) throw error
      await context.client.clock.sleep(1_000 * attempt, context.client.signal)
    }
  }
}

function mayExist(error: unknown): error is HetznerApiError {
  return error instanceof HetznerApiError && (isNameTaken(error) || error.mayHaveTakenEffect)
}

/** The one that observation found under its id, whatever it is called by now. */
function goOnWith<T extends Named>(
  creation: Creation<T>,
  id: number,
  context: OwnerContext,
): Promise<Created<T> | undefined> {
  return take(creation, () => readOrGone(() => creation.read(id)), context)
}

async function adopt<T extends Named>(
  creation: Creation<T>,
  context: MakerContext,
): Promise<Created<T> | undefined> {
  const { kind, find, rename } = creation
  if (rename && (await context.renames(() => freeName(creation, { find, rename }, context)))) {
    return undefined
  }
  const findOurs = async () => {
    const one = await find()
    if (one && !isOurs(one.labels, context.identity.uid)) throw foreignError(kind, one)
    return one
  }
  return take(creation, findOurs, context)
}

async function take<T extends Named>(
  { kind, name }: Creation<T>,
  read: () => Promise<T | undefined>,
  { client, ids }: OwnerContext,
): Promise<Created<T> | undefined> {
  const found = await waitFor(
    `the former ${kind} ${name} to be gone`,
    async () => {
      const one = await read()
      return one?.status === 'deleting' ? { pending: 'it is being deleted' } : { done: one }
    },
    { clock: client.clock, signal: client.signal, everyMs: 2_000, withinMs: 180_000 },
  )
  if (!found) return undefined
  ids.set(recordKey({ kind, name }), found.id)
  return { resource: found, actions: [], adopted: true }
}

/** The one of this name among what a list call by name found. */
export function byName<T extends { readonly name: string }>(
  found: readonly T[],
  name: string,
): T | undefined {
  return found.find((one) => one.name === name)
}
