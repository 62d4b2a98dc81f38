import {
  type TalosNodeService,
  talosNodeService,
} from '../../engine/hetzner-talos/talos-node-service.ts'
import { nodeSteps } from '../../engine/run-step.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import type { ClusterView } from '../../planner/hetzner-talos/cluster-view.ts'
import { ClusterReach } from '../../run/hetzner-talos/cluster-reach.ts'
import type { ClusterSession } from '../../run/hetzner-talos/cluster-session.ts'
import { observeCluster } from '../../run/hetzner-talos/observe-cluster.ts'
import { lockCluster } from '../../run/lock-cluster.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'

/** What it takes to stop a node as every run does: to drain it, and to see that etcd can do without it. */
export interface NodeGate {
  readonly service: TalosNodeService
  /** Returns when etcd can do without the node; at once for a worker. */
  readonly waitForHealthyEtcd: () => Promise<void>
  /** Sees that the lock is still this run's. Throws `state-fenced`. */
  readonly requireLock: () => Promise<void>
}

export interface NodeGates extends Pick<NodeGate, 'requireLock'> {
  (name: string, progress: PhaseProgress): Promise<NodeGate>
}

/** What holds the lock for nodes that a user named. */
export type StopVerb = 'reboot' | 'shutdown' | 'rollback' | 'patch'

/** How long the Kubernetes API may take to answer, in milliseconds. */
const kubernetesWithinMs = 60_000

interface Looked {
  readonly session: ClusterSession
  /** What was seen before the lock: whom the user named is judged by it. */
  readonly looked: ClusterView
  readonly verb: StopVerb
  /** Closes what this opens. */
  readonly held: DisposableStack
}

/**
 * Takes the cluster's lock until the session is closed, looks again at what is there, and answers with how these nodes
 * are stopped. When the lock is lost, whatever still waits in a gate ends, and nothing more is stopped. Throws what
 * `lockCluster` and `observeCluster` do, and `plan-moved` for a node that is not the one that was named any more.
 */
export async function gatesUnderLock(
  context: RunContext,
  { session, looked, verb, held }: Looked,
  names: readonly string[],
): Promise<NodeGates> {
  const lock = await lockCluster(context, session)
  const view = await runPhase(context.progress, 'Look again, under the lock', () =>
    observeCluster(session.spec, session.store, session.hetzner),
  )
  for (const name of names) refuseAnother(name, verb, [looked, view])
  const ofLock = { ...context, signal: session.signal }
  const reach = held.use(new ClusterReach(ofLock, session.store, view))
  const requireLock = async () => {
    await lock.isStillOurs()
    session.signal.throwIfAborted()
  }
  const gate = async (name: string, progress: PhaseProgress) => {
    await requireLock()
    return {
      ...(await gateOf(name, { context: ofLock, reach, view, verb, progress })),
      requireLock,
    }
  }
  return Object.assign(gate, { requireLock })
}

/** A name is given again to the server that takes another's place; the id says which one was meant. */
function refuseAnother(name: string, operation: StopVerb, views: readonly ClusterView[]): void {
  const [former, present] = views.map((view) => serverOf(name, view))
  if (former?.id === present?.id && former?.uid === present?.uid && !present?.leaves) return
  const what = whatBecameOf(present)
  throw new ClusterError('plan-moved', `${name} ${what} before this run had the lock`, {
    operation,
    target: name,
    hint: 'Look at what `hcloud-talos plan` shows, then name the nodes again. Nothing was done to any node.',
  })
}

function whatBecameOf(node: ReturnType<typeof serverOf>): string {
  if (!node) return 'left the cluster'
  if (node.leaves) return 'is about to leave the cluster'
  return node.id === undefined ? 'has lost its server' : 'was replaced by another server'
}

/** The server behind a node's name, by its id; undefined where the state knows the node no more. */
function serverOf(name: string, { generation, hetzner }: ClusterView) {
  const node = generation?.inventory.nodes.find((known) => known.name === name)
  if (!node) return undefined
  const id = hetzner.ids.get(`server/${name}`)
  return {
    id,
    uid: generation?.inventory.uid,
    leaves: id !== undefined && node.leavingServerId === id,
  }
}

async function gateOf(
  name: string,
  {
    context,
    reach,
    view,
    verb,
    progress,
  }: {
    readonly context: RunContext
    readonly reach: ClusterReach
    readonly view: ClusterView
    readonly verb: StopVerb
    readonly progress: PhaseProgress
  },
): Promise<Omit<NodeGate, 'requireLock'>> {
  const { clock, signal, redactor, run } = context
  const { role } = view.generation?.inventory.nodes.find((node) => node.name === name) ?? {}
  const isControlPlane = role === 'control-plane'
  const access = await reach.access()
  return {
    service: talosNodeService({
      name,
      isControlPlane,
      client: access.talos(reach.addresses.of(name).address),
      spec: view.spec,
      kubernetes: await reach.kubernetes(kubernetesWithinMs, progress),
      redactor,
      clock,
      signal,
      progress,
      run: run.id,
      step: nodeSteps(verb, name, progress),
    }),
    waitForHealthyEtcd: async () => {
      if (isControlPlane) await reach.waitForHealthyEtcd(name, progress)
    },
  }
}
