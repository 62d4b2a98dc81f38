import { ClusterError } from '../../lib/cluster-error.ts'
import type { KnownCluster } from '../../planner/known-cluster.ts'
import type { ClusterFile } from '../../run/cluster-file.ts'
import { clusterUnknown } from '../../run/cluster-unknown.ts'
import { lockCluster } from '../../run/lock-cluster.ts'
import type { ClusterMode } from '../../run/mode/cluster-mode.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import type { StateSession } from '../../run/state-session.ts'
import type { CommonSpec } from '../../spec/common-spec.ts'
import type { Fact } from '../../store/files/journal.ts'
import { secretsPath } from '../../store/files/layout.ts'
import { isSealed } from '../../store/files/secret-files.ts'
import { type AgeIdentity, identityMissing, parseIdentities } from '../../store/trust/identity.ts'
import { deriveSigningKey } from '../../store/trust/signing-key.ts'
import { writingIdentity } from '../../store/trust/writing-identity.ts'
import { unprepared } from './unprepared.ts'

export interface RotationInput {
  readonly file: ClusterFile
  /** The identity that was made for it, which the run holds besides its own; it must be the newest that the file names. */
  readonly next?: string | undefined
}

export interface RotatedKeys {
  /** False when the state was of the newest key, and for today's recipients alone, already. */
  readonly rotated: boolean
  readonly generation: number
  readonly keyEpoch: number
  /** Who can read the state now. */
  readonly recipients: readonly string[]
  /** Identities that the run holds beside the newest, and that can read on because the cluster file names them. */
  readonly stillReading: readonly string[]
  /** How many of the files that are new were tried with each of the others that it holds. */
  readonly proven: { readonly files: number; readonly identities: number }
}

/**
 * Hands the state over to the newest key of the cluster file: encrypts every file again for the recipients that it
 * names, and nobody else, and signs as the newest epoch. The run holds the newest identity, and one that opens
 * what is there. One generation does it all, so that a run which died has either done it or not begun; the next one
 * continues from there. From its end on the provider remembers the epoch, and what the former key signs is refused.
 * Throws `rotation-unprepared`, `cluster-unknown`, `token-read-only`, and what reading a state does.
 */
export async function rotateInMode<S extends StateSession, V extends KnownCluster>(
  mode: ClusterMode<S, V>,
  run: RunContext,
  { file, next }: RotationInput,
): Promise<RotatedKeys> {
  const { open, machines } = mode
  const context = holdingNext(run, next)
  const { progress } = context
  await using session = await open(context, file, { dropsRecipients: true })
  const keys = await requireNewestKey(context, session.spec, next)
  await machines.requireWrite(session)
  await lockCluster(context, session)
  const view = await runPhase(progress, 'Look at what is there', () => machines.observe(session))
  return await handOver(mode, context, session, { view, keys })
}

/** The same run, which holds the new identity besides its own. */
export function holdingNext(run: RunContext, next: string | undefined): RunContext {
  if (next === undefined) return run
  const { state } = run
  return { ...run, state: { ...state, identity: `${state.identity ?? ''}\n${next}` } }
}

export interface HandOver<V extends KnownCluster> {
  readonly view: V
  readonly keys: NewestKey
  /** What else is written down along with it. */
  readonly facts?: readonly Fact[]
}

/** The part of it that is done under the lock, to a state that was looked at. */
export async function handOver<S extends StateSession, V extends KnownCluster>(
  { machines }: ClusterMode<S, V>,
  { progress }: RunContext,
  session: S,
  { view, keys, facts = [] }: HandOver<V>,
): Promise<RotatedKeys> {
  const { spec, store } = session
  const former = view.generation
  if (!former) throw clusterUnknown(spec, 'rotate the keys of')
  const shut = keys.others.filter(({ recipient }) => !spec.state.recipients.includes(recipient))
  const isDone =
    former.manifest.keyEpoch === keys.epoch &&
    store.isSealedForToday(former) &&
    (await store.openedBy(former, shut)).length === 0
  // That what is there opens is seen before anything is written.
  if (former.hasSecrets) await store.readSecrets()
  const rotation = { fact: 'keys-rotated', detail: { epoch: String(keys.epoch) } } as const
  if (!isDone) {
    await runPhase(progress, 'Re-encrypt and sign', () =>
      store.update(() => ({ reseal: true, facts: [rotation, ...facts] }), 'Rotate the keys'),
    )
  } else if (facts.length > 0) {
    await store.update(() => ({ facts }), 'Note the revocation')
  }
  const proven = await runPhase(progress, 'Try the former identities on what is new', () =>
    proveShut(session, { ...keys, others: shut }),
  )
  await runPhase(progress, `Make ${machines.name} remember the epoch`, () =>
    machines.anchor(session, view),
  )
  return {
    rotated: !isDone,
    ...proven,
    recipients: [...new Set([...spec.state.recipients, keys.writer.recipient])],
    stillReading: keys.others
      .map(({ recipient }) => recipient)
      .filter((recipient) => spec.state.recipients.includes(recipient)),
  }
}

/**
 * Sees on the branch what a rotation claims: the newest generation is of the newest key, every file in it is for the
 * recipients of the cluster file and nobody else, and none of them opens with an identity that was to be shut out,
 * which is tried. Throws `rotation-unproven`.
 */
export async function proveShut(
  { spec, store }: StateSession,
  { epoch, others }: NewestKey,
): Promise<Pick<RotatedKeys, 'generation' | 'keyEpoch' | 'proven'>> {
  const newest = await store.read()
  if (!newest) throw clusterUnknown(spec, 'prove the rotation of')
  const { generation, keyEpoch, files } = newest.manifest
  const opened = await store.openedBy(newest, others)
  if (opened.length > 0) throw unproven(spec, `a former identity opens ${opened.join(', ')}`)
  if (keyEpoch !== epoch) throw unproven(spec, `the state is of key epoch ${keyEpoch}`)
  if (!store.isSealedForToday(newest)) {
    throw unproven(spec, 'a file is encrypted for others than the recipients of the cluster file')
  }
  const sealed = files.filter(({ path }) => isSealed(path))
  return { generation, keyEpoch, proven: { files: sealed.length, identities: others.length } }
}

function unproven({ clusterName }: CommonSpec, why: string): ClusterError {
  return new ClusterError(
    'rotation-unproven',
    `the rotation was written, and is not what it should be: ${why}`,
    {
      operation: 'prove the rotation of',
      target: clusterName,
      hint: 'Run the same command again; if it ends like this again, please report it, and take the former identity for one that still reads.',
    },
  )
}

/** The identity that the cluster file names as the newest, among those that a run holds. */
export interface NewestKey {
  readonly writer: AgeIdentity
  readonly others: readonly AgeIdentity[]
  readonly epoch: number
}

/** The reviewed file says which key comes next; no run decides that by itself. */
export async function requireNewestKey(
  { state, redactor }: RunContext,
  { clusterName, state: { signers } }: CommonSpec,
  next: string | undefined,
): Promise<NewestKey> {
  const target = `${clusterName}/${secretsPath}`
  if (state.identity === undefined) throw identityMissing(target)
  const identities = await parseIdentities(state.identity, redactor)
  const newest = signers.at(-1)
  if (newest === undefined) {
    throw unprepared(
      target,
      'the cluster file names no signer, so that the new key could not be recognized',
    )
  }
  const made = next === undefined ? undefined : (await parseIdentities(next, redactor))[0]
  if (made && deriveSigningKey(made).signer !== newest) {
    throw unprepared(
      target,
      `the new identity signs as ${deriveSigningKey(made).signer}, and state.signer ends with ${newest}`,
    )
  }
  const writer = writingIdentity(identities, signers)
  if (!writer || deriveSigningKey(writer).signer !== newest) {
    throw unprepared(
      target,
      `this run does not hold the identity of ${newest}, the newest of state.signer`,
    )
  }
  // By what they open: a run may be given the same one twice.
  const others = identities.filter(({ recipient }) => recipient !== writer.recipient)
  return { writer, others, epoch: signers.length }
}
