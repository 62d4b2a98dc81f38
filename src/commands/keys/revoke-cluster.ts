import {
  mintFormerCredentials,
  proveFormerShut,
} from '../../engine/hetzner-talos/prove-former-shut.ts'
import {
  type ReplacementInput,
  replaceTalosAuthority,
} from '../../engine/hetzner-talos/replace-talos-authority.ts'
import { requireWrite } from '../../hetzner/require-write.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import type { ClusterView } from '../../planner/hetzner-talos/cluster-view.ts'
import { compareCluster } from '../../planner/hetzner-talos/compare-cluster.ts'
import { isRevocationPending } from '../../planner/pending-revocation.ts'
import { type StillValid, stillValid } from '../../planner/what-stays-valid.ts'
import { clusterUnknown } from '../../run/cluster-unknown.ts'
import { anchored } from '../../run/hetzner-talos/anchor-state.ts'
import { ClusterReach } from '../../run/hetzner-talos/cluster-reach.ts'
import { openSession } from '../../run/hetzner-talos/cluster-session.ts'
import { observeCluster } from '../../run/hetzner-talos/observe-cluster.ts'
import { requireClock } from '../../run/hetzner-talos/require-clock.ts'
import { openTemporaryRule } from '../../run/hetzner-talos/temporary-rule.ts'
import { newIdentityFile, putInPlace } from '../../run/identity-files.ts'
import { lockCluster } from '../../run/lock-cluster.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
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
  unprepared,
} from './rotate-keys.ts'

export interface RevokeInput extends RotationInput {
  /** Asked before the first change; false ends the run without one. */
  readonly confirm?: (() => Promise<boolean>) | undefined
}

export interface RevokedCluster {
  readonly revoked: boolean
  /** Undefined when it was not confirmed. */
  readonly keys: RotatedKeys | undefined
  /** How many nodes have another CA of the Talos API now. */
  readonly nodes: number
  /**
   * Whether every node was tried with a certificate of the former CA, and rejected it. A run that goes on after the key
   * of that CA was deleted has nothing to try with; nor are there nodes to try where none is configured.
   */
  readonly isFormerTried: boolean
  /** What is not taken back by it. */
  readonly stillValid: readonly StillValid[]
}

/**
 * For a key that somebody else has: hands the state over to the newest key of the cluster file, and then replaces what
 * the state gave away, as far as it can be replaced in a running cluster. That is the CA of the Talos API, and with it
 * every talosconfig. That it did so is tried before it is said: the former identities on every new file, and the former
 * CA on every node. What stays valid is returned, and must be told. Goes on where a run that died stopped. Throws
 * `rotation-unprepared` without a key that the state was never encrypted for, `rotation-unproven`,
 * `revocation-refused` while an apply is due, and what configuring nodes does.
 */
export async function revokeCluster(
  run: RunContext,
  { file, next, confirm }: RevokeInput,
): Promise<RevokedCluster> {
  const context = holdingNext(run, next)
  await using session = await openSession(context, file, { dropsRecipients: true })
  const { spec, store, hetzner } = session
  const keys = await requireNewestKey(context, spec, next)
  await requireWrite(hetzner)
  requireClock(context, hetzner)
  await lockCluster(context, session)
  const view = await runPhase(context.progress, 'Look at what is there', () =>
    observeCluster(spec, store, hetzner),
  )
  if (!view.generation) throw clusterUnknown(spec, 'revoke the secrets of')
  refusePending(view)
  const isPending = isRevocationPending(view.generation.journal)
  refuseKnownKey(view, keys, { isPending, isGiven: next !== undefined })
  if (confirm && !(await confirm())) {
    return { revoked: false, keys: undefined, nodes: 0, isFormerTried: false, stillValid }
  }
  // In the generation of the handover: whoever continues with it knows that its key was new.
  const begun = { fact: 'revocation-started', detail: { epoch: String(keys.epoch) } } as const
  const facts = isPending ? [] : [begun]
  const rotated = await handOver(context, session, { view, keys, facts })
  const nodes = configuredNodes(view)
  const proven = await anchored(session, view, async () => {
    const isFormerTried =
      nodes.length > 0 && (await replaceAndProve({ context, session, view, nodes }))
    const shut = keys.others.filter(({ recipient }) => !spec.state.recipients.includes(recipient))
    const shown = await proveShut(session, { ...keys, others: shut })
    await store.record({ ...begun, fact: 'revocation-finished' })
    return { shown, isFormerTried }
  })
  const { shown, isFormerTried } = proven
  const newKeys = { ...rotated, ...shown }
  return { revoked: true, keys: newKeys, nodes: nodes.length, isFormerTried, stillValid }
}

/** Resolves to whether the former CA was tried. */
async function replaceAndProve(input: ReplacementInput): Promise<boolean> {
  const { context, session, view } = input
  await using _rule = await openTemporaryRule(context, view, session, {})
  using reach = new ClusterReach(context, session.store, view)
  const former = await mintFormerCredentials(context, await reach.secrets())
  await replaceTalosAuthority(input)
  if (!former) return false
  await proveFormerShut(input, former)
  return true
}

/**
 * Whoever has an identity for which the new secrets are encrypted has the new secrets: a revocation takes a key that the
 * state was never encrypted for, and leaves no key of the runs among the recipients. Throws `rotation-unprepared`.
 */
function refuseKnownKey(
  { spec, generation }: ClusterView,
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

function configuredNodes({ nodes, generation }: ClusterView): ClusterView['nodes'] {
  const configured = new Set(
    generation?.inventory.nodes
      .filter(({ configDigest }) => configDigest !== undefined)
      .map(({ name }) => name),
  )
  return nodes.filter(({ name }) => configured.has(name))
}

/** Every node gets its config again: what else differs would come along, unseen by any plan. */
function refusePending(view: ClusterView): void {
  // Whom the state is for is handed over before.
  const [first] = compareCluster(view).changes.filter(({ after }) => after?.kind !== 'secrets')
  if (!first) return
  const { clusterName } = view.spec
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
