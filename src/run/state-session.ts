import type { ClusterError } from '../lib/cluster-error.ts'
import type { Finding } from '../lib/finding.ts'
import type { CommonSpec } from '../spec/common-spec.ts'
import type { StateStore } from '../store/state-store.ts'
import type { ClusterFile } from './cluster-file.ts'
import { hideGivenSecrets } from './named-secrets.ts'
import { openStateStore, type StateOptions } from './open-state-store.ts'
import type { RunContext } from './run-context.ts'
import { runPhase } from './run-phase.ts'

/** A cluster file together with the state of its cluster, in every mode. */
export interface StateSession extends AsyncDisposable {
  /** The name of its mode. */
  readonly mode: string
  readonly file: ClusterFile
  readonly spec: CommonSpec
  /** Warnings about the file. */
  readonly findings: readonly Finding[]
  readonly store: StateStore
  /** The run's, and aborted when it has lost its lock. */
  readonly signal: AbortSignal
  /** Ends everything that is being asked of the provider: for a run that has lost its lock. */
  readonly stop: (reason: ClusterError) => void
}

/** What was read of a cluster file. */
interface ReadSpec<Spec extends CommonSpec> {
  readonly mode: string
  readonly file: ClusterFile
  readonly spec: Spec
  readonly findings: readonly Finding[]
}

/**
 * A session of any mode; asks nobody yet. Close it in the end. The secrets that the environment gives are hidden from then on. `connect` makes what only this mode has, under a signal
 * that ends it when the lock is lost.
 */
export async function openStateSession<Spec extends CommonSpec, Own extends object>(
  context: RunContext,
  { mode, file, spec, findings }: ReadSpec<Spec>,
  connect: (signal: AbortSignal) => Own,
  options: StateOptions = {},
): Promise<StateSession & { readonly spec: Spec } & Own> {
  hideGivenSecrets(context.state.environment, context.redactor)
  const stopped = new AbortController()
  const signal = AbortSignal.any([context.signal, stopped.signal])
  const own = connect(signal)
  const store = await openStateStore(context, spec, options)
  return {
    ...own,
    mode,
    file,
    spec,
    findings: [...findings, ...warnUnvouched(store)],
    store,
    signal,
    stop: (reason) => stopped.abort(reason),
    [Symbol.asyncDispose]: () => closeStore(context, store),
  }
}

/** Giving the lock back takes its time, and what a run does is shown: its last line is its end. */
async function closeStore({ progress }: RunContext, store: StateStore): Promise<void> {
  const { heldLock } = store
  try {
    if (heldLock) {
      await runPhase(
        progress,
        'Release the lock',
        () => heldLock.release(),
        (isReached) => (isReached ? undefined : 'the repository did not answer; it expires'),
      )
    }
  } finally {
    await store.close()
  }
}

/** A run that cannot tell who wrote the state goes on, and says so each time. */
function warnUnvouched({ trust }: StateStore): Finding[] {
  if (trust !== 'nobody') return []
  return [
    {
      severity: 'warning',
      path: ['state', 'signer'],
      message:
        'state.signer is not set and this run has no identity: whoever may push to the state branch can make up what this plan stands on',
      hint: 'Write what `hcloud-talos signer` prints into state.signer.',
    },
  ]
}
