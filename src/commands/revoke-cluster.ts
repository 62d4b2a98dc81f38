import { requireWrite } from '../hetzner/require-write.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import { runPhase } from '../phases/run-phase.ts'
import { anchored } from './anchor-state.ts'
import { lockCluster, openSession } from './cluster-session.ts'
import { clusterUnknown } from './cluster-unknown.ts'
import { compareCluster } from './compare-cluster.ts'
import { type ClusterView, observeCluster } from './observe-cluster.ts'
import { replaceTalosAuthority } from './replace-talos-authority.ts'
import { requireClock } from './require-clock.ts'
import {
  handOver,
  holdingNext,
  type RotatedKeys,
  type RotationInput,
  requireNewestKey,
} from './rotate-keys.ts'
import type { RunContext } from './run-context.ts'
import { openDoor } from './runner-door.ts'
import { type StillValid, stillValid } from './what-stays-valid.ts'

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
  /** What is not taken back by it. */
  readonly stillValid: readonly StillValid[]
}

/**
 * For a key that somebody else has: hands the state over to the newest key of the cluster file, and then replaces what
 * the state gave away, as far as it can be replaced in a running cluster. That is the CA of the Talos API, and with it
 * every talosconfig. What stays valid is returned, and must be told. Goes on where a run that died stopped. Throws
 * `rotation-unprepared`, `revocation-refused` while an apply is due, and what configuring nodes does.
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
  if (confirm && !(await confirm())) {
    return { revoked: false, keys: undefined, nodes: 0, stillValid }
  }
  const rotated = await handOver(context, session, { view, keys })
  const nodes = configuredNodes(view)
  if (nodes.length > 0) {
    await anchored(session, view, async () => {
      await using _door = await openDoor(context, view, session, {})
      await replaceTalosAuthority({ context, session, view, nodes })
    })
  }
  return { revoked: true, keys: rotated, nodes: nodes.length, stillValid }
}

function configuredNodes({ nodes, generation }: ClusterView): ClusterView['nodes'] {
  const configured = new Set(
    generation?.inventory.nodes
      .filter(({ configDigest }) => configDigest !== undefined)
      .map(({ name }) => name),
  )
  return nodes.filter(({ name }) => configured.has(name))
}

/** Every node gets its config anew: what else differs would come along, unseen by any plan. */
function refusePending(view: ClusterView): void {
  const [first] = compareCluster(view).changes
  if (!first) return
  const { clusterName } = view.spec
  throw new ClusterError(
    'revocation-refused',
    `${clusterName} is not as its file says (${first.action} ${first.key}): nothing was revoked`,
    {
      operation: 'revoke the secrets of',
      target: clusterName,
      hint: 'apply the file first, or take back what it changes',
    },
  )
}
