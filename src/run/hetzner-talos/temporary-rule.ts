import type { HetznerClient } from '../../hetzner/api/hetzner-client.ts'
import type { ClusterIdentity } from '../../hetzner/ownership.ts'
import {
  createTemporaryRule,
  deleteTemporaryRule,
  sweepTemporaryRules,
} from '../../hetzner/temporary-rules.ts'
import { readBoundedText } from '../../lib/bounded-bytes.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import type { ClusterView } from '../../planner/hetzner-talos/cluster-view.ts'
import type { RunContext } from '../run-context.ts'
import { runPhase } from '../run-phase.ts'
import { type ClusterSession, connectHetzner } from './cluster-session.ts'

/** How long the address service may take, in milliseconds. */
const lookupMs = 15_000
/** An address and nothing else. */
const mostBytes = 1_024

/**
 * Lets this run in to the nodes while it lasts (ADR 9), and closes the firewall when it is disposed of, also
 * after a failure or an interruption. Sweeps what dead runs left open. Does nothing where the file says
 * that the runner's address is among those that may always come in.
 */
export async function openTemporaryRule(
  context: RunContext,
  { generation }: ClusterView,
  session: ClusterSession,
  options: { readonly keepRule?: boolean },
): Promise<AsyncDisposable> {
  const uid = generation?.inventory.uid
  return uid === undefined ? shut : openTemporaryRuleOf(context, uid, session, options)
}

const shut: AsyncDisposable = { [Symbol.asyncDispose]: async () => undefined }

/** The same for a cluster of which only its uid is known. */
export async function openTemporaryRuleOf(
  context: RunContext,
  uid: string,
  { spec, hetzner, mode }: Pick<ClusterSession, 'spec' | 'hetzner' | 'mode'>,
  { keepRule = false }: { readonly keepRule?: boolean } = {},
): Promise<AsyncDisposable> {
  if (!spec.firewall.runnerAccess) return shut
  const identity = { clusterName: spec.clusterName, uid }
  const { id: runId, attempt } = context.run
  context.onHold?.({ ...identity, mode })
  const close = async () => {
    try {
      await runPhase(context.progress, 'Delete the temporary firewall rule of this run', () =>
        deleteTemporaryRule(hetzner.withSignal(undefined), { identity, runId }),
      )
    } catch (error) {
      // What the run itself met is what people must see; the next run deletes the rule.
      const reason = error instanceof Error ? error.message : String(error)
      context.progress.warn(`the firewall may stay open for ${runId} until the next run: ${reason}`)
    }
  }
  try {
    await runPhase(context.progress, 'Open the firewall for this run', async (phase) => {
      await sweep(context, hetzner, identity)
      const address = await ownAddress(context)
      await createTemporaryRule(hetzner, { identity, runId, attempt, address })
      phase.step(address)
    })
  } catch (error) {
    // It may be open already, although the answer was lost or the run was interrupted. Where a later step closes it,
    // it may be another step's of the same job, which goes on.
    if (!keepRule) await close()
    throw error
  }
  return keepRule ? shut : { [Symbol.asyncDispose]: close }
}

/** Closes what this run opened, for a step that comes after it and has no cluster file. Fine where it is closed. */
export async function closeTemporaryRule(
  context: RunContext,
  identity: ClusterIdentity,
): Promise<void> {
  await runPhase(context.progress, 'Delete the temporary firewall rule of this run', () =>
    deleteTemporaryRule(connectHetzner(context), { identity, runId: context.run.id }),
  )
}

/** Shuts what dead runs left open, for a run that finds nothing to do and opens no firewall itself. */
export async function sweepRules(
  context: RunContext,
  { generation, hetzner: { strays } }: ClusterView,
  { spec: { clusterName }, hetzner }: ClusterSession,
): Promise<void> {
  if (!generation || strays.every(({ kind }) => kind !== 'firewall')) return
  await sweep(context, hetzner, { clusterName, uid: generation.inventory.uid })
}

async function sweep(
  { run: { id, isRunOver } }: RunContext,
  hetzner: HetznerClient,
  identity: ClusterIdentity,
): Promise<void> {
  // A run is not over for itself; what its own former try left open is moved, not swept.
  const isOver = async (run: string, attempt: number) =>
    run === id ? false : isRunOver?.({ run, attempt })
  await sweepTemporaryRules(hetzner, { identity, isOver })
}

/** The address under which the outside sees this machine. */
async function ownAddress({ endpoints, signal }: RunContext): Promise<string> {
  try {
    const response = await fetch(endpoints.ipLookup, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(lookupMs)]),
    })
    const text = (await readBoundedText(response.body, mostBytes)).trim()
    if (response.ok && /^[0-9a-fA-F.:]{3,45}$/.test(text)) return text
    throw new Error(`answered ${response.status}`)
  } catch (error) {
    signal.throwIfAborted()
    throw new ClusterError(
      'address-unknown',
      'the public address of this machine cannot be found out',
      {
        operation: 'ask',
        target: endpoints.ipLookup,
        hint: 'Set HCLOUD_TALOS_IP_LOOKUP to a service that answers with it, or list the address under firewall.talosApi and firewall.kubernetesApi and set firewall.runnerAccess to false.',
        cause: error,
      },
    )
  }
}
