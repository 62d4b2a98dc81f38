import type { KnownCluster } from '../../planner/known-cluster.ts'
import { pendingRestore } from '../../planner/pending-restore.ts'
import type { ClusterFile } from '../../run/cluster-file.ts'
import { clusterUnknown } from '../../run/cluster-unknown.ts'
import type { ClusterLifecycle, ClusterMode } from '../../run/mode/cluster-mode.ts'
import type {
  CredentialMint,
  CredentialSource,
  MintedUntil,
} from '../../run/mode/credential-mint.ts'
import { openStateStore } from '../../run/open-state-store.ts'
import {
  isRecorded,
  lockForRecord,
  recordHandedOut,
  warnUnrecorded,
} from '../../run/record-handed-out.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import type { StateSession } from '../../run/state-session.ts'

export interface AccessInput {
  readonly file: ClusterFile
  /** How long the credentials are good for. */
  readonly hours: number
}

/** What minting takes of a mode. */
type MintingMode<S extends StateSession, V extends KnownCluster> = Pick<
  ClusterMode<S, V>,
  'read' | 'open'
> & { readonly machines: ClusterLifecycle<S, V>['machines'] }

/**
 * Mints credentials from the secrets on the state branch. Nothing of them is stored
 * anywhere; of those that live long the journal notes when they end. Where the provider cannot be asked the state is
 * believed as far as it is signed and nothing is written to it, and addresses are those that it remembers: a repository
 * and an age key are enough to come back into a cluster. Throws `cluster-unknown`, `certificate-ended`,
 * `identity-missing`, `state-undecryptable`.
 */
export async function mintInMode<S extends StateSession, V extends KnownCluster, Minted>(
  mode: MintingMode<S, V>,
  context: RunContext,
  input: AccessInput,
  credentials: CredentialMint<S, V, Minted>,
): Promise<Minted> {
  const { open, machines } = mode
  if (!machines.canAsk(context)) return await mintFromState(mode, context, input, credentials)
  await using session = await open(context, input.file)
  // Before the state is looked at, as whoever writes it does: what is checked is then what is written upon.
  const isLocked = isRecorded(input.hours) && (await lockForRecord(mode, context, session))
  const view = await runPhase(context.progress, 'Look at what is there', () =>
    machines.observe(session),
  )
  const { generation } = view
  if (!generation) throw clusterUnknown(session.spec, 'mint credentials for')
  machines.requireClock(context, session)
  const { spec, store } = session
  const source = { session, spec, store, generation, view }
  const { minted, until } = await mintFrom(context, source, input, credentials)
  if (isLocked) {
    const { what, role } = credentials
    const handedOut = { what, role, hours: String(input.hours), until }
    await recordHandedOut(mode, context, { session, view }, handedOut)
  }
  return minted
}

async function mintFromState<S extends StateSession, V extends KnownCluster, Minted>(
  { read, machines: { name, unasked } }: MintingMode<S, V>,
  context: RunContext,
  input: AccessInput,
  credentials: CredentialMint<S, V, Minted>,
): Promise<Minted> {
  const { spec } = read(input.file)
  await using store = await openStateStore(context, spec)
  const { progress } = context
  const generation = await runPhase(progress, 'Read the state', () => store.read())
  if (!generation) throw clusterUnknown(spec, 'mint credentials for')
  progress.warn(
    `${unasked.message}: addresses are those that the state remembers, and whether it is the newest state is not known`,
  )
  const source = { session: undefined, spec, store, generation, view: undefined }
  const { minted } = await mintFrom(context, source, input, credentials)
  // What is written upon a state that may be an older one would make that the newest.
  if (isRecorded(input.hours)) {
    warnUnrecorded(
      context,
      `it is written to a state only that was compared with what ${name} remembers: ${unasked.fix}`,
    )
  }
  return minted
}

function mintFrom<S extends StateSession, V extends KnownCluster, Minted>(
  context: RunContext,
  source: CredentialSource<S, V>,
  { hours }: AccessInput,
  credentials: CredentialMint<S, V, Minted>,
): Promise<MintedUntil<Minted>> {
  const pending = pendingRestore(source.generation.journal)
  if (pending) context.progress.warn(`${pending.message}; finish it with \`${pending.command}\``)
  return credentials.mint(context, source, hours)
}
