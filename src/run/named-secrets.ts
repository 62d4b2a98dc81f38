import type { Redactor } from '../lib/redactor.ts'
import type { Inventory, InventorySecret } from '../plan/inventory.ts'
import type { ViewedSecrets } from '../planner/known-cluster.ts'
import type { CommonSpec } from '../spec/common-spec.ts'
import { formsOfNamed, type NamedSecrets, secretVariable } from '../spec/secret-reference.ts'
import { referredNames } from '../spec/secret-references.ts'
import type { Generation } from '../store/generation.ts'
import type { StateChanges } from '../store/state-changes.ts'
import type { StateStore } from '../store/state-store.ts'
import type { RunContext } from './run-context.ts'

/** Every secret in the environment is hidden from now on, whether anything refers to it or not. */
export function hideGivenSecrets(
  environment: RunContext['state']['environment'],
  redactor: Redactor,
): void {
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith(secretVariable('')) || !value) continue
    for (const form of formsOfNamed(withoutLastBreak(value))) redactor.add(form)
  }
}

/** The secrets of a spec that the environment gives. */
export function givenSecrets(
  { state: { environment } }: Pick<RunContext, 'state'>,
  spec: CommonSpec,
): NamedSecrets {
  return new Map(
    referredNames(spec).flatMap((name) => {
      const value = environment[secretVariable(name)]
      return value ? [[name, withoutLastBreak(value)] as const] : []
    }),
  )
}

/** Shells and editors end a text with a line break that nobody means. */
export function withoutLastBreak(text: string): string {
  return text.replace(/\r?\n$/, '')
}

/**
 * What is known of the secrets of a spec, and the version of each: that of the state, or the next one where the
 * environment gives another value. A run without an identity cannot compare, and goes by the state: what is
 * planned there is what an apply with the same values does.
 */
export async function viewSecrets(
  spec: CommonSpec,
  generation: Generation | undefined,
  { store, environment }: { readonly store: StateStore; readonly environment: NamedSecrets },
): Promise<{ readonly secrets: ViewedSecrets; readonly versions: Record<string, number> }> {
  const records = generation?.inventory.secrets ?? {}
  const names = referredNames(spec)
  const unused = Object.keys(records).filter(
    (name) => isKept(records[name]) && !names.includes(name),
  )
  const nothing = { given: new Map(), missing: [], isUncertain: false, unused }
  if (names.length === 0) return { secrets: nothing, versions: {} }
  const canRead = store.hasIdentity
  const kept = canRead && generation ? await store.readNamedSecrets() : new Map<string, string>()
  const given = new Map(
    [...environment].filter(([name, value]) => canRead && kept.get(name) !== value),
  )
  const isThere = (name: string) => (canRead ? kept.has(name) : isKept(records[name]))
  const versions = names.map((name) => {
    const last = records[name]?.version ?? 0
    return [name, isThere(name) && !given.has(name) ? last : last + 1] as const
  })
  const missing = names.filter((name) => !isThere(name) && !environment.has(name))
  return {
    secrets: { given, missing, isUncertain: !canRead, unused },
    versions: Object.fromEntries(versions),
  }
}

function isKept(record: InventorySecret | undefined): boolean {
  return record !== undefined && record.isRemoved !== true
}

/** Who sets a secret, and when. */
export interface SecretSetter {
  readonly by: string
  readonly now: number
  readonly origin: InventorySecret['origin']
}

/**
 * What keeps other values of secrets beside those that are kept: the inventory says that they are others, and not what
 * they are.
 */
export async function keepSecrets(
  inventory: Inventory,
  values: NamedSecrets,
  readKept: () => Promise<NamedSecrets>,
  { by, now, origin }: SecretSetter,
): Promise<Pick<StateChanges, 'namedSecrets'> & { readonly inventory: Inventory }> {
  if (values.size === 0) return { inventory }
  const kept = await readKept()
  const setAt = new Date(now).toISOString()
  const records = [...values].map(([name]): [string, InventorySecret] => [
    name,
    { version: (inventory.secrets?.[name]?.version ?? 0) + 1, setAt, setBy: by, origin },
  ])
  return {
    inventory: { ...inventory, secrets: { ...inventory.secrets, ...Object.fromEntries(records) } },
    namedSecrets: Object.fromEntries([...kept, ...values]),
  }
}

/** Who a run is, as the state says it. */
export function setterOf(
  { run, calendar }: RunContext,
  origin: SecretSetter['origin'],
): SecretSetter {
  return { by: run.actor ?? `${run.id} on ${run.host}`, now: calendar.now(), origin }
}

/** The values that are kept; none before a cluster has a state. */
export async function readKept(store: StateStore): Promise<NamedSecrets> {
  return store.known ? await store.readNamedSecrets() : new Map()
}
