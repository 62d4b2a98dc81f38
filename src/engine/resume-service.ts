import { ClusterError, isClusterError } from '../lib/cluster-error.ts'
import type { PhaseProgress } from '../lib/progress.ts'
import { type Change, changedPart, risks } from '../plan/change.ts'
import type { OutOfService } from '../planner/out-of-service.ts'
import type { RunContext } from '../run/run-context.ts'
import { runPhase } from '../run/run-phase.ts'
import type { Disruptions } from './disruptions.ts'

interface Resumption {
  readonly changes: readonly Change[]
  readonly nodes: OutOfService
  readonly context: Pick<RunContext, 'progress' | 'signal'>
  readonly disruptions: Disruptions
  isControlPlane(name: string): boolean
  /** Returns when a node is healthy and, unless its cordon is still needed, takes pods again. */
  resume(name: string, progress: PhaseProgress): Promise<void>
}

/**
 * Counts the nodes as stopped that an earlier run took out of service, before this one stops another: what it cordoned
 * is waited for, and what is made again or taken away has a place until it is back or gone. A worker that does not come
 * back, and has a change of its own in this plan, has a place until that is made, which may be what it takes. Returns
 * the changes in the order in which those with a place come first. Throws what kept a node from coming back.
 */
export async function resumeService(resumption: Resumption): Promise<readonly Change[]> {
  const { changes, nodes, context, disruptions } = resumption
  if (!changes.some(mayStop)) return changes
  for (const name of nodes.away) disruptions.hold(name)
  if (nodes.cordoned.size > 0) {
    const title = 'See that what an earlier run stopped is in service'
    await runPhase(context.progress, title, (progress) =>
      Promise.all(
        [...nodes.cordoned].map(([name, run]) => seeBack({ name, run }, resumption, progress)),
      ).then(() => undefined),
    )
  }
  return changes.map((change) => unchained(change, resumption))
}

async function seeBack(
  { name, run }: { readonly name: string; readonly run: string },
  { changes, context, disruptions, isControlPlane, resume }: Resumption,
  progress: PhaseProgress,
): Promise<void> {
  try {
    await resume(name, progress)
  } catch (error) {
    if (!isClusterError(error) || error.code === 'interrupted' || context.signal.aborted)
      throw error
    if (!changes.some((change) => isOfNode(change) && nameOf(change) === name)) {
      throw notBack(error, name, run)
    }
    progress.step(`${name} is not back in service (${error.message}): it is changed first`)
    // Whether etcd can do without another control plane is asked of etcd.
    if (!isControlPlane(name)) disruptions.hold(name)
  }
}

function notBack(error: ClusterError, name: string, run: string): ClusterError {
  return new ClusterError(
    error.code,
    `${name}, which the run ${run} took out of service, is not back, so nothing else is stopped: ${error.message}`,
    {
      operation: 'see in service',
      target: name,
      hint: `Look at that node (\`hcloud-talos doctor\`). \`hcloud-talos apply --replace ${name}\` makes it again.`,
      evidence: error.evidence,
      cause: error,
    },
  )
}

/** Whoever has a place would wait for ever for one that needs it. */
function unchained(change: Change, { changes, disruptions }: Resumption): Change {
  const { spec } = change.after ?? change.before ?? {}
  if (!isOfNode(change) || spec?.['role'] === 'control-plane') return change
  const name = nameOf(change)
  if (!disruptions.isHeld(name)) return change
  const others = new Set<string>(
    changes.filter((one) => isOfNode(one) && nameOf(one) !== name).map(({ key }) => key),
  )
  return { ...change, needs: change.needs.filter((key) => !others.has(key)) }
}

function mayStop(change: Change): boolean {
  if (!isOfNode(change)) return false
  const { action, risk } = change
  if (action === 'replace' || action === 'delete') return true
  return action === 'update' && risks.indexOf(risk) >= risks.indexOf('restart')
}

function isOfNode(change: Change): boolean {
  const part = changedPart(change)
  return part === 'machine' || part === 'node'
}

function nameOf({ after, before }: Change): string {
  return (after ?? before)?.name ?? ''
}
