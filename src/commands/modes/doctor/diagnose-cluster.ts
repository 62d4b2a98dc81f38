import { isClusterError } from '../../../lib/cluster-error.ts'
import type { KnownCluster } from '../../../planner/known-cluster.ts'
import { type Diagnosis, problem } from '../../../run/diagnosis.ts'
import type { HealthLooks } from '../../../run/mode/cluster-health.ts'
import type { ClusterMode } from '../../../run/mode/cluster-mode.ts'
import type { StateSession } from '../../../run/state-session.ts'
import { diagnoseChanges } from './diagnose-changes.ts'
import { diagnoseJournal } from './diagnose-journal.ts'

/**
 * The cluster itself: its machines and nodes, what was started, and what differs from the file. Everything at
 * once, each by itself, and as far as it can be reached. Opens no firewall rule and changes nothing. Nothing was
 * `observed` where the provider or the state could not be asked, as another look reports.
 */
export async function diagnoseCluster<S extends StateSession, V extends KnownCluster>(
  mode: ClusterMode<S, V>,
  looks: HealthLooks<S>,
  observed: V | undefined,
): Promise<Diagnosis[]> {
  const { health, keys } = mode
  const { context, session, look } = looks
  const generation = observed?.generation ?? (await readGeneration(session))
  if (!generation) return []
  const isBlind = health.takesIdentity && context.state.identity === undefined
  const parts = await Promise.all([
    look('journal', 'Read the journal', async () => diagnoseJournal(generation, keys.words)),
    health.lookAtState(looks, generation),
    observed ? lookOutside(mode, looks, observed) : [health.unseen],
    isBlind ? [blind] : health.lookInside(looks, { generation, observed }),
  ])
  return parts.flat()
}

async function lookOutside<S extends StateSession, V extends KnownCluster>(
  { health, nodes, life }: ClusterMode<S, V>,
  looks: HealthLooks<S>,
  view: V,
): Promise<Diagnosis[]> {
  const { context, session, look } = looks
  const parts = await Promise.all([
    health.lookAtMachines(looks, view),
    look('changes', 'Compare the cluster with its file', async () => {
      const inspected = await nodes.inspect(context, session, view, {})
      const { generation } = inspected
      if (!generation) return []
      const now = context.calendar.now()
      return diagnoseChanges(generation, () => life.planApply(inspected, { now }))
    }),
  ])
  return parts.flat()
}

async function readGeneration({ store }: StateSession) {
  try {
    return await store.read()
  } catch (error) {
    // What is wrong with the state another look says.
    if (!isClusterError(error) || error.code === 'interrupted') throw error
    return undefined
  }
}

const blind = problem(
  'nodes',
  'unknown',
  'etcd, the nodes and the API servers were not looked at: that takes the age identity',
  'Set HCLOUD_TALOS_AGE_IDENTITY_FILE.',
)
