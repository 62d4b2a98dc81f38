import { isClusterError } from '../lib/cluster-error.ts'
import type { Inventory, InventorySecret } from '../plan/inventory.ts'
import { givenSecrets, keepSecrets, setterOf } from '../run/named-secrets.ts'
import type { RunContext } from '../run/run-context.ts'
import type { StateSession } from '../run/state-session.ts'
import type { NamedSecrets } from '../spec/secret-reference.ts'
import type { Generation } from '../store/generation.ts'
import type { StateChanges } from '../store/state-changes.ts'

/** The named secrets that a state which begins over continues with. */
export interface CarriedSecrets {
  /** Those of the former state that this run opens. */
  readonly kept: NamedSecrets
  /** Those that the environment of this run gives. */
  readonly given: NamedSecrets
  /** All of them: what is given counts. */
  readonly named: NamedSecrets
  /** What the former state said of each. */
  readonly records: Readonly<Record<string, InventorySecret>>
  /** Of each that there is, the version that the new state gives it. */
  readonly versions: Readonly<Record<string, number>>
}

/** Opens what the former state kept; warns by name of what no identity of this run opens, and which has to be set again. */
export async function readCarried(
  context: RunContext,
  { spec, store }: Pick<StateSession, 'spec' | 'store'>,
  former: Generation | undefined,
): Promise<CarriedSecrets> {
  const kept = former ? await openFormer(store, former) : new Map<string, string>()
  const given = givenSecrets(context, spec)
  const named = new Map([...kept, ...given])
  const records = former?.inventory.secrets ?? {}
  const lost = Object.keys(records).filter((name) => !(records[name]?.isRemoved || named.has(name)))
  if (lost.length > 0) {
    context.progress.warn(
      `no identity of this run opens the named secrets of the former state: ${lost.join(', ')}. Set them again (\`hcloud-talos secret set\`)`,
    )
  }
  const versions = [...named].map(([name, value]) => {
    const last = records[name]?.version ?? 0
    return [name, kept.get(name) === value ? last : last + 1] as const
  })
  return { kept, given, named, records, versions: Object.fromEntries(versions) }
}

/** How the new state holds them: versions continue from where they were, and what could not be opened is missing. */
export async function carrySecrets(
  context: RunContext,
  inventory: Inventory,
  { kept, given, named, records }: CarriedSecrets,
): Promise<Pick<StateChanges, 'namedSecrets'> & { readonly inventory: Inventory }> {
  const secrets = Object.fromEntries(
    Object.entries(records).map(([name, record]) => [
      name,
      named.has(name) ? record : { ...record, isRemoved: true },
    ]),
  )
  const others = new Map([...given].filter(([name, value]) => kept.get(name) !== value))
  const before = Object.keys(records).length > 0 ? { ...inventory, secrets } : inventory
  const setter = setterOf(context, 'environment')
  return {
    ...(kept.size > 0 && { namedSecrets: Object.fromEntries(kept) }),
    ...(await keepSecrets(before, others, async () => kept, setter)),
  }
}

async function openFormer(store: StateSession['store'], former: Generation): Promise<NamedSecrets> {
  try {
    return await store.readNamedSecrets(former)
  } catch (error) {
    if (!isClusterError(error, 'state-undecryptable', 'identity-missing')) throw error
    return new Map()
  }
}
