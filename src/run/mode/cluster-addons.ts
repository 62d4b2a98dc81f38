import type { ComparedAddon } from '../../addons/compare-installed.ts'
import type { ShownAddon } from '../../addons/show-addons.ts'
import type { KnownCluster } from '../../planner/known-cluster.ts'
import type { Generation } from '../../store/generation.ts'
import type { RunContext } from '../run-context.ts'
import type { StateSession } from '../state-session.ts'
import type { RecordedView } from './machine-provider.ts'

/** What is installed beside Kubernetes itself: looked at, never changed. */
export interface ClusterAddons<S extends StateSession, V extends KnownCluster> {
  /** Names of all that the file asks for. Pure. */
  namesOf(spec: S['spec']): readonly string[]
  /**
   * Those that are chosen of all that the file asks for, fit to be printed: secrets are hidden, and references to them stay as they are. Asks
   * neither the cluster nor the provider. Throws `helm-failed`, `addon-failed`.
   */
  render(
    context: RunContext,
    from: { readonly spec: S['spec']; readonly generation: Generation | undefined },
    chosen: ChosenAddons,
  ): Promise<readonly ShownAddon[]>
  /** What an apply would do with those that are chosen, by objects. Throws what reaching the cluster throws. */
  compare(
    context: RunContext,
    from: { readonly session: S; readonly view: RecordedView<V> },
    chosen: ChosenAddons,
  ): Promise<readonly ComparedAddon[]>
}

/** Whether an addon is looked at, by its name. */
export type ChosenAddons = (name: string) => boolean
