import type { KnownCluster } from '../../../planner/known-cluster.ts'
import { type Diagnosis, passed, problem } from '../../../run/diagnosis.ts'
import type { ClusterMode } from '../../../run/mode/cluster-mode.ts'
import type { RunContext } from '../../../run/run-context.ts'
import type { StateSession } from '../../../run/state-session.ts'
import type { Generation } from '../../../store/generation.ts'
import type { StateStore } from '../../../store/state-store.ts'
import { parseIdentities } from '../../../store/trust/identity.ts'
import { deriveSigningKey } from '../../../store/trust/signing-key.ts'
import { writingIdentity } from '../../../store/trust/writing-identity.ts'
import { diagnoseHistory } from './damaged-history.ts'

/** Whether the state is believed, is as far as the provider remembers, and opens with the keys that it should. */
export async function diagnoseState<S extends StateSession, V extends KnownCluster>(
  { machines }: ClusterMode<S, V>,
  context: RunContext,
  { spec, store }: StateSession,
  view: V,
): Promise<Diagnosis[]> {
  const { generation } = view
  const { clusterName, state } = spec
  if (!generation)
    return [passed('state', `${clusterName} was never applied, and nothing is there`)]
  const { manifest } = generation
  const anchored =
    machines.anchorOf(view) || !generation.inventory.bootstrapped
      ? passed('state', `generation ${manifest.generation} of ${clusterName} is as it was written`)
      : problem(
          'state',
          'weak',
          `${machines.name} does not remember how far the state has come, so that a rollback would not be seen`,
          'Run `hcloud-talos apply`: it records the generation when it ends.',
        )
  const named =
    state.signers.length > 0
      ? []
      : [
          problem(
            'state',
            'weak',
            'state.signer is not set: a plan without identity believes anybody',
            'Write what `hcloud-talos signer` prints into state.signer.',
          ),
        ]
  return [
    anchored,
    ...(await diagnoseHistory(store)),
    ...named,
    ...(await diagnoseIdentity(context, store, generation, state.signers)),
  ]
}

async function diagnoseIdentity(
  { state, redactor }: RunContext,
  store: StateStore,
  generation: Generation,
  signers: readonly string[],
): Promise<Diagnosis[]> {
  if (state.identity === undefined) {
    return [
      problem(
        'identity',
        'unknown',
        'no age identity was given: whether the secrets open was not tried',
        'Set HCLOUD_TALOS_AGE_IDENTITY_FILE, and try the offline identity too.',
      ),
    ]
  }
  const identities = await parseIdentities(state.identity, redactor)
  const writer = writingIdentity(identities, signers)
  if (generation.hasSecrets) await store.readSecrets()
  const opens = passed('identity', 'it opens the secrets')
  const signer = writer && deriveSigningKey(writer).signer
  if (signers.length > 0 && signer !== signers.at(-1)) {
    return [opens, signer !== undefined && signers.includes(signer) ? formerSigner : noSigner]
  }
  return [opens, diagnoseHandover(store, generation, signers)]
}

const formerSigner = problem(
  'identity',
  'bad',
  'it is one of a former epoch, which writes nothing any more once the state is handed over',
  'Use the identity of the newest epoch.',
)

const noSigner = problem(
  'identity',
  'weak',
  'it reads, and does not write: state.signer does not name it',
  'Use the identity of state.signer for runs; the offline one is as it should be.',
)

function diagnoseHandover(
  store: StateStore,
  generation: Generation,
  signers: readonly string[],
): Diagnosis {
  if (signers.length > 0 && generation.manifest.keyEpoch !== signers.length) {
    const message = 'the cluster file names a newer key than the one that the state is signed by'
    return problem('identity', 'weak', message, 'hcloud-talos rotate')
  }
  if (store.isSealedForToday(generation)) {
    return passed('identity', 'the state is encrypted for the recipients of the cluster file')
  }
  const message = 'the state is encrypted for others than the recipients of the cluster file'
  return problem('identity', 'weak', message, 'hcloud-talos apply')
}

/** Whether the lock is free, or held by somebody who lives. */
export async function diagnoseLock(
  { run: { isRunOver } }: RunContext,
  store: StateStore,
): Promise<Diagnosis[]> {
  const found = await store.findLock({ isRunOver })
  if (!found) return [passed('lock', 'nobody holds it')]
  const whose = found.record ? `${found.record.owner.run} holds it` : 'it cannot be read'
  if (found.verdict.kind === 'held') return [passed('lock', `${whose}: ${found.verdict.why}`)]
  const dead = found.verdict.kind === 'over' ? 'its run has ended' : 'it ran out'
  return [problem('lock', 'weak', `${whose}, and ${dead}`, 'hcloud-talos unlock')]
}
