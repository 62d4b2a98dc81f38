import { ClusterError } from '../../lib/cluster-error.ts'
import { refuseErrors } from '../../lib/findings-error.ts'
import { randomHex } from '../../lib/random.ts'
import type { KnownCluster } from '../../planner/known-cluster.ts'
import type { ClusterFile } from '../../run/cluster-file.ts'
import { lockCluster } from '../../run/lock-cluster.ts'
import type { AdoptableCluster, AdoptedAs } from '../../run/mode/cluster-adoption.ts'
import type { ClusterMode } from '../../run/mode/cluster-mode.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import type { StateSession } from '../../run/state-session.ts'
import { locateFindings } from '../../spec/yaml/locate-findings.ts'
import { lastFact } from '../../store/files/journal.ts'
import type { Generation } from '../../store/generation.ts'
import { type FoundState, finishFoundState } from './finish-found-state.ts'

export interface AdoptInput {
  readonly file: ClusterFile
  /** Shown what was found, line by line; false ends the run without a change. */
  readonly confirm: (shown: readonly string[]) => Promise<boolean>
}

/** Undefined where it was not confirmed. */
export type AdoptedCluster = FoundState | undefined

/**
 * Takes over a cluster that other hands made: looks at all of it, and writes what was found into the state and marks onto
 * its machines. Nothing else of it is changed; what differs from the file is the next plan. The state is written before
 * the marks, so that a machine never names a cluster that no branch knows; cut off between the two, it continues when it
 * is run again. Throws `plan-refused` with all that stands in the way, and `usage` in a mode without adoptions.
 */
export async function adoptInMode<S extends StateSession, V extends KnownCluster>(
  mode: ClusterMode<S, V>,
  context: RunContext,
  { file, confirm }: AdoptInput,
): Promise<AdoptedCluster> {
  const { adoption, machines } = mode
  if (!adoption.isPossible) {
    const { because, hint } = adoption
    throw new ClusterError('usage', because, { operation: 'adopt a cluster', hint })
  }
  await using session = await mode.open(context, file)
  await machines.requireWrite(session)
  await lockCluster(context, session)
  const present = await session.store.read()
  refuseKnown(session, present)
  const as = { uid: present?.inventory.uid ?? randomHex(context.random, 8), generation: present }
  const found = await runPhase(
    context.progress,
    'Look at the cluster',
    () => adoption.find(session, as),
    ({ inventory }) => `${inventory.nodes.length} nodes`,
  )
  machines.requireClock(context, session)
  const generation = await write(mode, context, session, { as, found, confirm })
  if (generation === undefined) return undefined
  await machines.anchor(session, found.view)
  return await finishFoundState(mode, context, session, generation)
}

interface Adoption<V extends KnownCluster> extends Pick<AdoptInput, 'confirm'> {
  readonly as: AdoptedAs
  readonly found: AdoptableCluster<V>
}

/** What an earlier run wrote stays as it is; undefined where it is not confirmed. */
async function write<S extends StateSession, V extends KnownCluster>(
  { recovery }: ClusterMode<S, V>,
  context: RunContext,
  session: S,
  { as: { uid, generation }, found, confirm }: Adoption<V>,
): Promise<Generation | undefined> {
  if (generation && isAdopted(generation)) {
    const isConfirmed = await confirm([
      ...found.shown,
      'an earlier run started to adopt it and did not end: this one continues',
    ])
    return isConfirmed ? generation : undefined
  }
  const parts = await recovery.read(context, session, {
    lost: found,
    wayIn: undefined,
    former: generation,
  })
  const addons = Object.keys(parts.inventory.addons)
  const shown = [...found.shown, `addons that are there: ${addons.join(', ') || 'none'}`]
  if (!(await confirm(shown))) return undefined
  const { authority } = parts.inventory
  const detail = { uid, ...(authority !== undefined && { authority }) }
  return await session.store.update(
    () => ({ ...parts, facts: [{ fact: 'cluster-adopted', detail }] }),
    `Adopt the cluster ${session.spec.clusterName}`,
  )
}

function isAdopted({ journal }: Generation): boolean {
  return lastFact(journal, 'cluster-adopted') !== undefined
}

/** A state that knows nodes is another cluster's, unless an adoption wrote it; one that was started for its secrets is not. */
function refuseKnown(
  { spec: { clusterName, state }, file }: StateSession,
  present: Generation | undefined,
): void {
  if (!present || isAdopted(present)) return
  const { nodes, bootstrapped } = present.inventory
  if (nodes.length === 0 && !bootstrapped) return
  const finding = {
    severity: 'error',
    path: ['clusterName'],
    message: `the branch ${state.branch} knows the cluster ${clusterName} already: there is nothing to adopt`,
    hint: 'Continue with it: `hcloud-talos plan`. Where this file is that of another cluster, write another clusterName.',
  } as const
  refuseErrors('plan-refused', locateFindings(file.text, [finding]), file.path)
}
