import { ClusterError } from '../../lib/cluster-error.ts'
import type { Change } from '../../plan/change.ts'
import type { KnownCluster } from '../../planner/known-cluster.ts'
import { isRevocationPending } from '../../planner/pending-revocation.ts'
import { anchorAfter } from '../../run/anchor-after.ts'
import { clusterUnknown } from '../../run/cluster-unknown.ts'
import { newIdentityFile, putInPlace } from '../../run/identity-files.ts'
import { lockCluster } from '../../run/lock-cluster.ts'
import type { RevocationWords } from '../../run/mode/cluster-keys.ts'
import type { ClusterMode } from '../../run/mode/cluster-mode.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import type { StateSession } from '../../run/state-session.ts'
import type { CommonSpec } from '../../spec/common-spec.ts'
import { lastFact } from '../../store/files/journal.ts'
import { secretsPath } from '../../store/files/layout.ts'
import { deriveSigningKey } from '../../store/trust/signing-key.ts'
import {
  handOver,
  holdingNext,
  type NewestKey,
  proveShut,
  type RotatedKeys,
  type RotationInput,
  requireNewestKey,
} from './rotate-in-mode.ts'
import { unprepared } from './unprepared.ts'

export interface RevokeInput extends RotationInput {
  /** Asked before the first change, with what it does and does not do; false ends the run without one. */
  readonly confirm?: ((words: RevocationWords) => Promise<boolean>) | undefined
}

export interface RevokedCluster {
  readonly revoked: boolean
  /** Undefined when it was not confirmed. */
  readonly keys: RotatedKeys | undefined
  /** How many nodes have what was replaced. */
  readonly nodes: number
  /**
   * Whether every node was tried with a certificate of the former CA, and rejected it. A run that goes on after the key
   * of that CA was deleted has nothing to try with; nor are there nodes to try where none is configured.
   */
  readonly isFormerTried: boolean
  /** What was replaced, and what is not taken back by it. */
  readonly words: RevocationWords
}

/**
 * For a key that somebody else has: hands the state over to the newest key of the cluster file, and then replaces what
 * the state gave away, as far as it can be replaced in a running cluster (`ClusterKeys`). That it did so is tried before
 * it is reported: the former identities on every new file, and what was replaced on every node. What stays valid is
 * returned, and must be shown. Goes on where a run that died stopped. Throws
 * `rotation-unprepared` without a key that the state was never encrypted for, `rotation-unproven`,
 * `revocation-refused` while an apply is due, and what configuring nodes does.
 */
export async function revokeInMode<S extends StateSession, V extends KnownCluster>(
  mode: ClusterMode<S, V>,
  run: RunContext,
  { file, next, confirm }: RevokeInput,
): Promise<RevokedCluster> {
  const { machines, keys: clusterKeys } = mode
  const { words } = clusterKeys
  const context = holdingNext(run, next)
  await using session = await mode.open(context, file, { dropsRecipients: true })
  const { spec, store } = session
  const keys = await requireNewestKey(context, spec, next)
  await machines.requireWrite(session)
  machines.requireClock(context, session)
  await lockCluster(context, session)
  const view = await runPhase(context.progress, 'Look at what is there', () =>
    machines.observe(session),
  )
  if (!view.generation) throw clusterUnknown(spec, 'revoke the secrets of')
  refusePending(spec, clusterKeys.pendingChange(view))
  const isPending = isRevocationPending(view.generation.journal)
  refuseKnownKey(view, keys, { isPending, isGiven: next !== undefined })
  if (confirm && !(await confirm(words))) {
    return { revoked: false, keys: undefined, nodes: 0, isFormerTried: false, words }
  }
  // In the generation of the handover: whoever continues with it knows that its key was new.
  const begun = { fact: 'revocation-started', detail: { epoch: String(keys.epoch) } } as const
  const facts = isPending ? [] : [begun]
  const rotated = await handOver(mode, context, session, { view, keys, facts })
  const nodes = clusterKeys.holders(view)
  const work = async () => {
    const isFormerTried =
      nodes.length > 0 && (await clusterKeys.replace(context, session, { view, nodes }))
    const shut = keys.others.filter(({ recipient }) => !spec.state.recipients.includes(recipient))
    const shown = await proveShut(session, { ...keys, others: shut })
    await store.record({ ...begun, fact: 'revocation-finished' })
    return { shown, isFormerTried }
  }
  const { shown, isFormerTried } = await anchorAfter(() => machines.anchor(session, view), work)
  const newKeys = { ...rotated, ...shown }
  return { revoked: true, keys: newKeys, nodes: nodes.length, isFormerTried, words }
}

/**
 * Whoever has an identity for which the new secrets are encrypted has the new secrets: a revocation takes a key that the
 * state was never encrypted for, and leaves no key of the runs among the recipients. Throws `rotation-unprepared`.
 */
function refuseKnownKey(
  { spec, generation }: KnownCluster,
  { epoch, others }: NewestKey,
  { isPending, isGiven }: { readonly isPending: boolean; readonly isGiven: boolean },
): void {
  const { clusterName, state } = spec
  const target = `${clusterName}/${secretsPath}`
  const kept = others.find(
    (identity) =>
      state.recipients.includes(identity.recipient) &&
      state.signers.includes(deriveSigningKey(identity).signer),
  )
  if (kept) {
    throw unprepared(
      target,
      `state.recipients still names ${kept.recipient}, a former identity of the runs: it would read the new secrets too`,
      'Take it out of state.recipients, merge that, and run `hcloud-talos revoke` again.',
    )
  }
  if (isPending || !generation || generation.manifest.keyEpoch < epoch) return
  const last = lastFact(generation.journal, 'revocation-finished')
  const done =
    last?.detail?.['epoch'] === String(epoch)
      ? `the revocation of ${last.at} is done, and handed the state over to this key; for another one, `
      : ''
  throw unprepared(
    target,
    `${done}the state is encrypted for the newest identity of the cluster file already (key epoch ${epoch}): whoever has that would read the new secrets too, and nothing would be revoked`,
    isGiven
      ? `The file of the new identity is left over from a rotation that is done: put it where it belongs (\`${putInPlace(newIdentityFile, epoch)}\`), run \`hcloud-talos rotate --prepare\`, merge what it prints, and revoke then.`
      : 'Run `hcloud-talos rotate --prepare`, merge what it prints, and run `hcloud-talos revoke` again with the new identity.',
  )
}

/** Every node gets its config again: what else differs would come along, unseen by any plan. */
function refusePending({ clusterName }: CommonSpec, first: Change | undefined): void {
  if (!first) return
  throw new ClusterError(
    'revocation-refused',
    `${clusterName} does not match its file (${first.action} ${first.key}): nothing was revoked`,
    {
      operation: 'revoke the secrets of',
      target: clusterName,
      hint: 'Apply the file first (`hcloud-talos apply`), or take back what it changes.',
    },
  )
}
