import type { HeldLock } from '../store/lock/held-lock.ts'
import { lockLost } from '../store/lock/lock-lost.ts'
import { graceMs, leaseMs } from '../store/lock/lock-record.ts'
import { refuseOutdated } from './merged-file.ts'
import type { RunContext } from './run-context.ts'
import { runPhase } from './run-phase.ts'
import type { StateSession } from './state-session.ts'

/** How long to wait for another run that holds the lock: long enough to see the lock of a dead one expire. */
const lockWaitMs = leaseMs + graceMs + 5 * 60_000

/**
 * Takes the cluster's lock; it is given back when the session is closed. Should it be lost meanwhile, nothing
 * more is asked of the provider. Whoever takes it is about to change something, so a file that is not the one on the
 * default branch stops here. Throws `state-locked`, `state-ref-blocked` and what `refuseOutdated` does.
 */
export async function lockCluster(
  context: RunContext,
  session: StateSession,
  { waitMs = lockWaitMs }: { readonly waitMs?: number } = {},
): Promise<HeldLock> {
  const { run, progress, onHold } = context
  const { store, stop } = session
  const { clusterName, state } = session.spec
  const { alongside: _, ...reached } = state
  const { isRunOver, process } = run
  onHold?.({
    clusterName,
    mode: session.mode,
    ...(process !== undefined && { process }),
    state: { ...reached, recipients: [...state.recipients], signers: [...state.signers] },
  })
  const lock = await runPhase(progress, 'Take the lock', (phase) =>
    store.lock({
      waitMs,
      onWaiting: (reason) => phase.step(`waiting for the lock of ${clusterName}, ${reason}`),
      onBroken: ({ owner }, why) =>
        progress.warn(
          `took the lock over from ${owner.run}, ${why === 'over' ? 'which has ended' : 'which did not renew it'}`,
        ),
      ...(isRunOver && { isRunOver }),
    }),
  )
  const { lost } = lock
  const onLost = () => stop(lockLost(lost.reason === 'expired' ? 'expired' : 'taken', clusterName))
  lost.addEventListener('abort', onLost, { once: true })
  await refuseOutdated(context, session.file)
  return lock
}
