import type { ClusterView } from '../planner/cluster-view.ts'
import type { ClusterSession } from './cluster-session.ts'
import type { RunContext } from './run-context.ts'
import { openDoor } from './temporary-rule.ts'

/** A run's way in to its nodes, opened when it is first needed and shut when it is disposed of. */
export class LazyDoor implements AsyncDisposable {
  readonly #open: (view: ClusterView) => Promise<AsyncDisposable>
  #door: Promise<AsyncDisposable> | undefined

  constructor(
    context: RunContext,
    session: ClusterSession,
    options: { readonly keepDoorOpen?: boolean },
  ) {
    this.#open = (view) => openDoor(context, view, session, options)
  }

  /** For a view of a cluster that has its uid. */
  async open(view: ClusterView): Promise<void> {
    this.#door ??= this.#open(view)
    await this.#door
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const door = await this.#door?.catch(() => undefined)
    await door?.[Symbol.asyncDispose]()
  }
}
