import type { PhaseProgress, Progress } from '../lib/progress.ts'
import { runGraph, type Task } from '../lib/run-graph.ts'
import type { Change } from '../plan/change.ts'
import { subjectOf } from '../plan/describe-change.ts'
import { partOf, type RecordKind } from '../plan/record.ts'

/** A stretch of an apply that people see under one title: the changes of some kinds, and how one is made. */
export interface PlanPhase {
  readonly title: string
  readonly kinds: readonly RecordKind[]
  /** Makes one change, or (`together`) all of the phase's changes at once. Idempotent. */
  readonly run:
    | { readonly each: (change: Change, progress: PhaseProgress) => Promise<void> }
    | { readonly together: (changes: readonly Change[], progress: PhaseProgress) => Promise<void> }
}

/** How many changes are made at once: a hundred servers wait together; clients limit their own requests. */
const concurrency = 128

/**
 * Makes the changes of a plan, each as early as what it needs is there, whichever phase it belongs to:
 * nodes are configured while other servers are still being created. A phase is shown from its first
 * change to its last. The first failure stops what has not begun, is told to `onFailure` at once, and is
 * thrown when the rest has ended.
 */
export async function runPlan(
  changes: readonly Change[],
  phases: readonly PlanPhase[],
  progress: Progress,
  onFailure?: (failure: unknown) => void,
): Promise<void> {
  const shown: ShownPhase[] = []
  const tasks = phases.flatMap((phase) => {
    const own = changes.filter(({ after, before }) => {
      const record = after ?? before
      return record !== undefined && phase.kinds.includes(record.kind)
    })
    if (own.length === 0) return []
    const view = new ShownPhase(phase.title, own.length, progress)
    shown.push(view)
    return toTasks(phase, own, view)
  })
  const covered = new Set(tasks.flatMap((task) => task.keys))
  const forgotten = changes.filter((change) => !covered.has(change.key))
  if (forgotten.length > 0) {
    throw new Error(`no phase makes ${forgotten.map((change) => change.key).join(', ')}`)
  }
  const owner = new Map(tasks.flatMap((task) => task.keys.map((key) => [key as string, task.id])))
  const graph = tasks.map((task) => ({
    ...task,
    needs: [...new Set(task.needs.map((key) => owner.get(key) ?? key))].filter(
      (id) => id !== task.id,
    ),
  }))
  try {
    await runGraph(graph, concurrency, onFailure)
  } finally {
    for (const view of shown) view.close()
  }
}

type PlanTask = Task & { readonly keys: readonly string[] }

function toTasks(
  { title, run }: PlanPhase,
  changes: readonly Change[],
  shown: ShownPhase,
): PlanTask[] {
  if ('together' in run) {
    return [
      {
        id: `phase/${title}`,
        keys: changes.map((change) => change.key),
        needs: changes.flatMap((change) => change.needs),
        run: () => shown.during(title, changes.length, (phase) => run.together(changes, phase)),
      },
    ]
  }
  return changes.map((change) => ({
    id: change.key,
    keys: [change.key],
    needs: change.needs,
    // A new worker answers once Kubernetes does: a hundred of them must not keep etcd from its turn.
    waits:
      change.after !== undefined &&
      partOf(change.after) === 'node' &&
      change.after.spec['role'] === 'worker',
    run: () => shown.during(subjectOf(change), 1, (phase) => run.each(change, phase)),
  }))
}

/** Shows a phase from its first task to its last, as one. */
class ShownPhase {
  readonly #title: string
  readonly #total: number
  readonly #progress: Progress
  #phase: PhaseProgress | undefined
  #done = 0
  #failed = false

  constructor(title: string, total: number, progress: Progress) {
    this.#title = title
    this.#total = total
    this.#progress = progress
  }

  async during(
    subject: string,
    weight: number,
    run: (phase: PhaseProgress) => Promise<void>,
  ): Promise<void> {
    this.#phase ??= this.#progress.phase(this.#title)
    const phase = this.#phase
    try {
      await run(phase)
    } catch (error) {
      if (!this.#failed)
        phase.fail(error instanceof Error ? `${subject}: ${error.message}` : subject)
      this.#failed = true
      throw error
    }
    this.#done += weight
    if (this.#failed) return
    phase.fraction(this.#done / this.#total)
    if (this.#done === this.#total) phase.succeed(`${this.#total} done`)
  }

  /** Ends what began and was stopped by the failure of another phase. */
  close(): void {
    if (this.#failed || this.#done === this.#total) return
    this.#phase?.fail(`stopped at ${this.#done} of ${this.#total}`)
  }
}
