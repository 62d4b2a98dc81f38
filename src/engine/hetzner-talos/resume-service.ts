import { ClusterError, isClusterError } from '../../lib/cluster-error.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import { type Change, risks } from '../../plan/change.ts'
import { keptCordons } from '../../planner/hetzner-talos/kept-cordons.ts'
import { outOfService } from '../../planner/hetzner-talos/out-of-service.ts'
import { runPhase } from '../../run/run-phase.ts'
import { isOutOfSpace } from '../../talos/etcd/etcd-health.ts'
import type { Disruptions } from '../disruptions.ts'
import type { CarryOutInput } from './carry-out.ts'
import type { NodeChange } from './node-change.ts'

interface Resumption {
  readonly input: CarryOutInput
  readonly disruptions: Disruptions
  readonly nodeChange: NodeChange
}

/**
 * Counts the nodes as stopped that an earlier run took out of service, before this one stops another: what it cordoned
 * is waited for, and what is made again or taken away has a place until it is back or gone. A worker that does not come
 * back, and has a change of its own in this plan, has a place until that is made, which may be what it takes. Returns
 * the changes in the order in which those with a place come first. Throws what kept a node from coming back.
 */
export async function resumeService(
  changes: readonly Change[],
  resumption: Resumption,
): Promise<readonly Change[]> {
  const { input, disruptions } = resumption
  const { view, context, etcdLost = false } = input
  if (etcdLost || !changes.some(mayStop)) return changes
  const { away, cordoned } = outOfService(view, changes)
  for (const name of away) disruptions.hold(name)
  const isFull = view.running?.alarms?.some(isOutOfSpace) ?? false
  if (cordoned.size > 0 && !isFull) {
    const title = 'See that what an earlier run stopped is in service'
    await runPhase(context.progress, title, (progress) =>
      Promise.all(
        [...cordoned].map((one) => seeBack(one, { ...resumption, changes, progress })),
      ).then(() => undefined),
    )
  }
  return changes.map((change) => unchained(change, disruptions))
}

async function seeBack(
  [name, run]: readonly [name: string, run: string],
  {
    input: { view, context },
    disruptions,
    nodeChange,
    changes,
    progress,
  }: Resumption & { readonly changes: readonly Change[]; readonly progress: PhaseProgress },
): Promise<void> {
  const role = view.generation?.inventory.nodes.find((node) => node.name === name)?.role
  const isControlPlane = role === 'control-plane'
  const staysCordoned = keptCordons(view, context.calendar.now()).has(name)
  try {
    await nodeChange.resume({ name, isControlPlane, staysCordoned }, progress)
  } catch (error) {
    if (!isClusterError(error) || error.code === 'interrupted' || context.signal.aborted)
      throw error
    const hasChange = changes.some(({ key }) => key === `node/${name}` || key === `server/${name}`)
    if (!hasChange) throw notBack(error, name, run)
    progress.step(`${name} is not back in service (${error.message}): it is changed first`)
    // Whether etcd can do without another control plane is asked of etcd.
    if (!isControlPlane) disruptions.hold(name)
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
function unchained(change: Change, disruptions: Disruptions): Change {
  const { kind, name = '', spec } = change.after ?? change.before ?? {}
  if ((kind !== 'node' && kind !== 'server') || spec?.['role'] === 'control-plane') return change
  if (!disruptions.isHeld(name)) return change
  const isOther = (key: string) => /^(node|server)\//.test(key) && !key.endsWith(`/${name}`)
  return { ...change, needs: change.needs.filter((key) => !isOther(key)) }
}

function mayStop({ key, action, risk }: Change): boolean {
  if (!/^(node|server)\//.test(key)) return false
  if (action === 'replace' || action === 'delete') return true
  return action === 'update' && risks.indexOf(risk) >= risks.indexOf('restart')
}
