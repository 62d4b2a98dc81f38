import { isClusterError } from '../../lib/cluster-error.ts'
import type { ClusterView } from '../../planner/hetzner-talos/cluster-view.ts'
import { keptCordons } from '../../planner/hetzner-talos/kept-cordons.ts'
import { askNodes } from '../../run/hetzner-talos/ask-nodes.ts'
import { ClusterReach, type ReachableCluster } from '../../run/hetzner-talos/cluster-reach.ts'
import type { ClusterSession } from '../../run/hetzner-talos/cluster-session.ts'
import { rememberedView } from '../../run/hetzner-talos/remembered-view.ts'
import type { RunContext } from '../../run/run-context.ts'
import { supportEnds } from '../../spec/tables/support-windows.ts'
import { diagnoseAccess } from './diagnose-access.ts'
import { diagnoseEnds, diagnoseServed } from './diagnose-certificates.ts'
import { diagnoseChanges } from './diagnose-changes.ts'
import { diagnoseEtcd } from './diagnose-etcd.ts'
import { diagnoseJournal } from './diagnose-journal.ts'
import { diagnoseKubernetes } from './diagnose-kubernetes.ts'
import { diagnoseNodes } from './diagnose-nodes.ts'
import { diagnoseServers } from './diagnose-servers.ts'
import { type Diagnosis, type DiagnosisArea, problem } from './diagnosis.ts'
import { nodesThatRun, type Reached } from './reach-nodes.ts'

/** Looks under a title; what fails is told, and keeps nothing else from being looked at. */
export type Look = (
  area: DiagnosisArea,
  title: string,
  work: () => Promise<readonly Diagnosis[]>,
) => Promise<readonly Diagnosis[]>

export interface ClusterLooks {
  readonly context: RunContext
  readonly session: ClusterSession
  /** What Hetzner and the state say; undefined where one of the two could not be asked, as another look reports. */
  readonly observed: ClusterView | undefined
  readonly look: Look
}

/**
 * The cluster itself: servers, etcd, nodes, API servers, what was started, and what differs from the file. Everything at
 * once, each by itself, and as far as it can be reached. Opens no firewall rule and changes nothing.
 */
export async function diagnoseCluster(looks: ClusterLooks): Promise<Diagnosis[]> {
  const { context, session, observed, look } = looks
  const generation = observed?.generation ?? (await readGeneration(session))
  if (!generation) return []
  const reachable = observed ?? rememberedView(session.spec, generation)
  const parts = await Promise.all([
    look('journal', 'Read the journal', async () => diagnoseJournal(generation)),
    look('certificates', 'Look when certificates end', async () =>
      diagnoseEnds(generation, context.calendar.now()),
    ),
    look('versions', 'Look what is supported', async () =>
      unsupported(session.spec, context.calendar.now()),
    ),
    observed ? lookAtHetzner(looks, observed) : notAtHetzner,
    lookInside(looks, reachable),
  ])
  return [...parts.flat(), ...(context.state.identity === undefined ? [blind] : [])]
}

async function lookAtHetzner(
  { context, session, look }: ClusterLooks,
  view: ClusterView,
): Promise<Diagnosis[]> {
  const parts = await Promise.all([
    look('servers', 'Look at the servers', async () => diagnoseServers(view)),
    look('firewall', 'Look for rules that were left open', () =>
      diagnoseAccess(context, session, view),
    ),
    look('changes', 'Compare the cluster with its file', async () =>
      diagnoseChanges(await askNodes(context, session, view, {}), context.calendar.now()),
    ),
  ])
  return parts.flat()
}

/** What takes the keys of the cluster, and a way to its nodes. */
async function lookInside(
  { context, session, observed, look }: ClusterLooks,
  view: ReachableCluster,
): Promise<Diagnosis[]> {
  if (context.state.identity === undefined) return []
  using reach = new ClusterReach(context, session.store, view)
  const reached = async (): Promise<Reached> => ({ view, reach, access: await reach.access() })
  const nodes = nodesThatRun(view, reach)
  const now = context.calendar.now()
  const parts = await Promise.all([
    look('etcd', 'Ask etcd', async () => diagnoseEtcd(await reached(), nodes)),
    look('nodes', 'Ask the nodes', async () => diagnoseNodes(await reached(), nodes)),
    look('certificates', 'Look at the certificates that are shown', () =>
      diagnoseServed(nodes, now, context.signal),
    ),
    look('kubernetes', 'Ask the API servers', async () =>
      diagnoseKubernetes({
        reached: await reached(),
        nodes,
        kept: observed ? keptCordons(observed, now) : new Map(),
        signal: context.signal,
        now: context.clock.now(),
      }),
    ),
  ])
  return parts.flat()
}

/** Support of the versions that the file names. */
function unsupported(spec: ClusterSession['spec'], now: number): Diagnosis[] {
  return supportEnds(spec, now).map(({ message, hasSuccessor }) =>
    problem(
      'versions',
      'weak',
      message,
      hasSuccessor
        ? 'Write the next minor release into the file, and run `hcloud-talos upgrade`.'
        : 'Use a newer hcloud-talos: this one knows no newer minor release.',
    ),
  )
}

async function readGeneration({ store }: ClusterSession) {
  try {
    return await store.read()
  } catch (error) {
    // What is wrong with the state another look says.
    if (!isClusterError(error) || error.code === 'interrupted') throw error
    return undefined
  }
}

const notAtHetzner = [
  problem(
    'servers',
    'unknown',
    'the servers, the firewall and the plan were not looked at, since Hetzner or the state could not be asked',
    'Do first what is named above for Hetzner and the state.',
  ),
]

const blind = problem(
  'nodes',
  'unknown',
  'etcd, the nodes and the API servers were not looked at: that takes the age identity',
  'Set HCLOUD_TALOS_AGE_IDENTITY_FILE.',
)
