import type { HetznerClient } from '../../../hetzner/api/hetzner-client.ts'
import { requireWrite } from '../../../hetzner/require-write.ts'
import { isClusterError } from '../../../lib/cluster-error.ts'
import type { ClusterView } from '../../../planner/hetzner-talos/cluster-view.ts'
import { keptCordons } from '../../../planner/hetzner-talos/kept-cordons.ts'
import { type Diagnosis, passed, problem } from '../../../run/diagnosis.ts'
import { ClusterReach } from '../../../run/hetzner-talos/cluster-reach.ts'
import type { ClusterSession } from '../../../run/hetzner-talos/cluster-session.ts'
import { rememberedView } from '../../../run/hetzner-talos/remembered-view.ts'
import type { ClusterHealth, HealthLooks, SeenCluster } from '../../../run/mode/cluster-health.ts'
import type { RunContext } from '../../../run/run-context.ts'
import type { ClusterSpec } from '../../../spec/cluster-spec.ts'
import { supportEnds } from '../../../spec/tables/support-windows.ts'
import type { Generation } from '../../../store/generation.ts'
import { diagnoseClock } from '../doctor/diagnose-clock.ts'
import { diagnoseAccess } from './diagnose-access.ts'
import { diagnoseEnds, diagnoseServed } from './diagnose-certificates.ts'
import { diagnoseEtcd } from './diagnose-etcd.ts'
import { diagnoseKubernetes } from './diagnose-kubernetes.ts'
import { diagnoseNodes } from './diagnose-nodes.ts'
import { diagnoseServers } from './diagnose-servers.ts'
import { nodesThatRun, type Reached } from './reach-nodes.ts'

/** What a look at Hetzner, its servers and the nodes on them finds. */
export const talosHealth: ClusterHealth<ClusterSession, ClusterView> = {
  provider: 'hetzner',
  diagnoseProvider: (context, { hetzner }) => diagnoseToken(context, hetzner),
  lookAtState,
  lookAtMachines,
  unseen: problem(
    'servers',
    'unknown',
    'the servers, the firewall and the plan were not looked at, since Hetzner or the state could not be asked',
    'Do first what is named above for Hetzner and the state.',
  ),
  takesIdentity: true,
  lookInside,
}

async function lookAtState(
  { context, session, look }: HealthLooks<ClusterSession>,
  generation: Generation,
): Promise<Diagnosis[]> {
  const now = context.calendar.now()
  const parts = await Promise.all([
    look('certificates', 'Look when certificates end', async () => diagnoseEnds(generation, now)),
    look('versions', 'Look what is supported', async () => unsupported(session.spec, now)),
  ])
  return parts.flat()
}

async function lookAtMachines(
  { context, session, look }: HealthLooks<ClusterSession>,
  view: ClusterView,
): Promise<Diagnosis[]> {
  const parts = await Promise.all([
    look('servers', 'Look at the servers', async () => diagnoseServers(view)),
    look('firewall', 'Look for rules that were left open', () =>
      diagnoseAccess(context, session, view),
    ),
  ])
  return parts.flat()
}

async function lookInside(
  { context, session, look }: HealthLooks<ClusterSession>,
  { generation, observed }: SeenCluster<ClusterView>,
): Promise<Diagnosis[]> {
  const view = observed ?? rememberedView(session.spec, generation)
  using reach = new ClusterReach(context, session.store, view)
  const reached = async (): Promise<Reached> => ({ view, reach, access: await reach.access() })
  const nodes = nodesThatRun(view, reach)
  const now = context.calendar.now()
  const parts = await Promise.all([
    look('etcd', 'Ask etcd', async () => diagnoseEtcd(await reached(), nodes)),
    look('nodes', 'Ask the nodes', async () =>
      diagnoseNodes(await reached(), nodes, context.signal),
    ),
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
function unsupported(spec: ClusterSpec, now: number): Diagnosis[] {
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

async function diagnoseToken(context: RunContext, hetzner: HetznerClient): Promise<Diagnosis[]> {
  await hetzner.locations()
  const clock = diagnoseClock('Hetzner', hetzner.serverTime, context.calendar.now())
  try {
    await requireWrite(hetzner)
  } catch (error) {
    if (!isClusterError(error, 'token-read-only')) throw error
    return [
      problem(
        'hetzner',
        'weak',
        'the token may only read: good for plans, and for nothing else',
        'Set HCLOUD_TOKEN to a read-write token of the project for an apply.',
      ),
      ...clock,
    ]
  }
  return [
    passed('hetzner', 'the token may read and write: keep it out of jobs that only plan'),
    ...clock,
  ]
}
