import type { ComparedAddon } from '../../addons/compare-installed.ts'
import type { ShownAddon } from '../../addons/show-addons.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import type { KnownCluster } from '../../planner/known-cluster.ts'
import type { ClusterFile } from '../../run/cluster-file.ts'
import { clusterUnknown } from '../../run/cluster-unknown.ts'
import type { ChosenAddons } from '../../run/mode/cluster-addons.ts'
import type { ClusterMode } from '../../run/mode/cluster-mode.ts'
import { openStateStore } from '../../run/open-state-store.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import type { StateSession } from '../../run/state-session.ts'

export interface AddonsInput {
  readonly file: ClusterFile
  /** Names of addons; all of them where none is given. */
  readonly names: readonly string[]
}

/**
 * The objects of the addons of a file as an apply would make them, secrets hidden. Needs neither the identity nor a
 * token, and works before the first apply. Throws `usage` for an addon that the file does not have.
 */
export async function renderAddonsInMode<S extends StateSession, V extends KnownCluster>(
  { read, machines, addons }: ClusterMode<S, V>,
  context: RunContext,
  { file, names }: AddonsInput,
): Promise<readonly ShownAddon[]> {
  const { spec } = read(file)
  await using store = await openStateStore(context, spec)
  const generation = await store.read()
  if (!generation) await machines.refuseLost(context, { file, spec })
  const chosen = chooseAddons(addons.namesOf(spec), names)
  return await addons.render(context, { spec, generation }, chosen)
}

/**
 * What an apply would do with the addons of a cluster, by objects: changes of the file that were not applied, and what
 * was changed by hand. Lets itself in to the cluster as long as it takes, and changes nothing. Throws
 * `cluster-unknown` before the first apply, `usage`, and what reaching the cluster throws.
 */
export async function compareAddonsInMode<S extends StateSession, V extends KnownCluster>(
  mode: ClusterMode<S, V>,
  context: RunContext,
  { file, names }: AddonsInput,
): Promise<readonly ComparedAddon[]> {
  await using session = await mode.open(context, file)
  const view = await runPhase(context.progress, 'Look at what is there', () =>
    mode.machines.observe(session),
  )
  const { generation } = view
  if (!generation?.inventory.bootstrapped) {
    throw clusterUnknown(session.spec, 'compare the addons of')
  }
  const known = [...mode.addons.namesOf(session.spec), ...Object.keys(generation.inventory.addons)]
  const chosen = chooseAddons([...new Set(known)], names)
  return await mode.addons.compare(context, { session, view: { ...view, generation } }, chosen)
}

/** Those of these names, or all where none is given. Throws `usage` for a name that no addon has. */
function chooseAddons(known: readonly string[], names: readonly string[]): ChosenAddons {
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw new ClusterError('usage', `${unknown} is no addon of this cluster`, {
      hint:
        known.length > 0
          ? `Name some of: ${known.join(', ')}.`
          : 'Add addons to the cluster file first.',
    })
  }
  return names.length === 0 ? () => true : (name) => names.includes(name)
}
