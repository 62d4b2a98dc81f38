import { ClusterError } from '../../lib/cluster-error.ts'
import { refuseErrors } from '../../lib/findings-error.ts'
import { randomHex } from '../../lib/random.ts'
import type { KnownCluster } from '../../planner/known-cluster.ts'
import { anchorAfter } from '../../run/anchor-after.ts'
import type { ClusterFile } from '../../run/cluster-file.ts'
import { lockCluster } from '../../run/lock-cluster.ts'
import type { ClusterMode } from '../../run/mode/cluster-mode.ts'
import { keepSecrets, readKept, setterOf, withoutLastBreak } from '../../run/named-secrets.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import { positionOf, shortestSecret } from '../../run/secret-findings.ts'
import type { StateSession } from '../../run/state-session.ts'
import { formsOfNamed, isSecretId } from '../../spec/secret-reference.ts'
import { referredSecrets } from '../../spec/secret-references.ts'
import { namedSecretsPath } from '../../store/files/layout.ts'
import type { StateChanges } from '../../store/state-changes.ts'
import { identityMissing } from '../../store/trust/identity.ts'

/** Longer values than any key, and small enough for any machine config. */
const longestBytes = 64 << 10

export interface SetSecretInput {
  readonly file: ClusterFile
  readonly name: string
  /** As it was read; a line break at its end is not part of it. */
  readonly value: string
}

export interface ChangedSecret {
  readonly name: string
  /** False where it was so already. */
  readonly changed: boolean
  readonly version: number
}

/**
 * Keeps the value of a named secret in the state of a cluster, encrypted for its recipients. Nodes and addons get it
 * with the next apply, whose plan shows what changes. Before the first apply it begins the state. Throws
 * `secret-refused`, `identity-missing`, `token-read-only`, and what taking the lock and writing the state do.
 */
export async function setSecretInMode<S extends StateSession, V extends KnownCluster>(
  mode: ClusterMode<S, V>,
  context: RunContext,
  { file, name, value: read }: SetSecretInput,
): Promise<ChangedSecret> {
  const value = withoutLastBreak(read)
  refuseName(name)
  refuseValue(name, value)
  for (const form of formsOfNamed(value)) context.redactor.add(form)
  return await changeState(mode, context, file, async (session, view) => {
    const { store, spec } = session
    const former = view.generation && (await store.readNamedSecrets()).get(name)
    const version = view.generation?.inventory.secrets?.[name]?.version ?? 0
    if (former === value) return { name, changed: false, version }
    const setter = setterOf(context, 'set')
    await store.update(
      (newest) =>
        keepSecrets(
          newest?.inventory ?? mode.life.firstInventory(view, randomHex(context.random, 8)),
          new Map([[name, value]]),
          () => readKept(store),
          setter,
        ),
      view.generation ? `Set the secret ${name}` : `Begin the cluster ${spec.clusterName}`,
    )
    return { name, changed: true, version: version + 1 }
  })
}

export interface RemoveSecretInput {
  readonly file: ClusterFile
  readonly name: string
  /** Asked where the cluster file refers to it; false ends without a change. */
  readonly confirm: (places: readonly string[]) => Promise<boolean>
}

/**
 * Takes a named secret out of the state; git's history keeps it for whoever could open it. Throws `secret-missing`
 * where there is none, `not-confirmed`, and what setting one does.
 */
export async function removeSecretInMode<S extends StateSession, V extends KnownCluster>(
  mode: ClusterMode<S, V>,
  context: RunContext,
  { file, name, confirm }: RemoveSecretInput,
): Promise<ChangedSecret> {
  refuseName(name)
  return await changeState(mode, context, file, async ({ store, spec }, view) => {
    const record = view.generation?.inventory.secrets?.[name]
    if (!record || record.isRemoved) throw unknownSecret(name)
    const places = referredSecrets(spec).filter((each) => each.name === name)
    const line = positionOf(file.text, name)?.line
    const at = places.map(({ path }) => `${path.join('.')}${line ? ` (line ${line})` : ''}`)
    if (places.length > 0 && !(await confirm(at))) {
      throw new ClusterError('not-confirmed', `${name} is referred to, and stays`, {
        operation: 'remove the secret',
        target: name,
        hint: `Take the reference out of ${at.join(', ')} first, or give --yes.`,
      })
    }
    await store.update(async (newest): Promise<StateChanges> => {
      if (!newest) throw unknownSecret(name)
      const kept = new Map(await store.readNamedSecrets())
      kept.delete(name)
      const secrets = { ...newest.inventory.secrets, [name]: { ...record, isRemoved: true } }
      return {
        inventory: { ...newest.inventory, secrets },
        namedSecrets: Object.fromEntries(kept),
      }
    }, `Remove the secret ${name}`)
    return { name, changed: true, version: record.version }
  })
}

type Work<V> = (session: StateSession, view: V) => Promise<ChangedSecret>

/** What changes the state by itself: with every right seen first, under the lock, and remembered by the provider. */
async function changeState<S extends StateSession, V extends KnownCluster>(
  { open, machines, life }: ClusterMode<S, V>,
  context: RunContext,
  file: ClusterFile,
  work: Work<V>,
): Promise<ChangedSecret> {
  await using session = await open(context, file)
  const { spec, store } = session
  if (!store.hasIdentity) throw identityMissing(`${spec.clusterName}/${namedSecretsPath}`)
  await machines.requireWrite(session)
  await lockCluster(context, session)
  const view = await runPhase(context.progress, 'Look at what is there', () =>
    machines.observe(session),
  )
  refuseErrors('plan-refused', life.guardBeginning(view), file.path)
  return await anchorAfter(
    () => machines.anchor(session, view),
    () => work(session, view),
  )
}

function refuseName(name: string): void {
  if (isSecretId(name)) return
  throw refused(
    'this is no name of a secret',
    'Take lower-case letters, digits and hyphens, 63 at most, a letter first.',
  )
}

function refuseValue(name: string, value: string): void {
  // White space around it is not hidden, and may be cut off before it is shown.
  if (value.trim().length < shortestSecret) {
    const hint = 'Take a longer one.'
    throw refused(
      `it has fewer than ${shortestSecret} characters: it could not be hidden`,
      hint,
      name,
    )
  }
  if (Buffer.byteLength(value) > longestBytes) {
    throw refused(
      'it is larger than 64 KiB',
      'Give the secret itself, without what is around it.',
      name,
    )
  }
  if (value.includes('\0') || !value.isWellFormed()) {
    throw refused('it is no text', 'Encode it with base64 first.', name)
  }
}

function refused(why: string, hint: string, target?: string): ClusterError {
  const about = { operation: 'set a secret', hint, ...(target !== undefined && { target }) }
  return new ClusterError('secret-refused', `the secret was not set: ${why}`, about)
}

function unknownSecret(name: string): ClusterError {
  return new ClusterError('secret-missing', `the state keeps no secret ${name}`, {
    operation: 'remove the secret',
    target: name,
    hint: 'Run `hcloud-talos secret list`, which lists those that there are.',
  })
}
