import type { ClusterView } from '../../planner/hetzner-talos/cluster-view.ts'
import type { RunContext } from '../run-context.ts'
import type { ClusterSession } from './cluster-session.ts'
import { openTemporaryRule } from './temporary-rule.ts'

/** A run's way in to its nodes, opened when it is first needed and shut when it is disposed of. */
export class LazyRule implements AsyncDisposable {
  readonly #open: (view: ClusterView) => Promise<AsyncDisposable>
  #rule: Promise<AsyncDisposable> | undefined

  constructor(
    context: RunContext,
    session: ClusterSession,
    options: { readonly keepRule?: boolean },
  ) {
    this.#open = (view) => openTemporaryRule(context, view, session, options)
  }

  /** For a view of a cluster that has its uid. */
  async open(view: ClusterView): Promise<void> {
    this.#rule ??= this.#open(view)
    await this.#rule
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const rule = await this.#rule?.catch(() => undefined)
    await rule?.[Symbol.asyncDispose]()
  }
}
