import { createLimit } from './limit.ts'

/** A piece of work that starts when all that it needs is done. */
export interface Task {
  readonly id: string
  /** Ids of other tasks of the same graph; ids that are not in the graph count as done. */
  readonly needs: readonly string[]
  /** Takes no place among those that run at once: it may wait for tasks that it cannot name as needs. */
  readonly waits?: boolean | undefined
  run(): Promise<void>
}

/**
 * Runs every task as early as its needs allow, at most `concurrency` at once beside those that only wait. After a failure no new
 * task starts; those that run are awaited, so that nothing goes on behind the caller's back; then the
 * first failure is thrown. `onFailure` is called with it at once, so that those that only wait can stop. A cycle is a bug and throws before anything runs.
 */
export async function runGraph(
  tasks: readonly Task[],
  concurrency: number,
  onFailure: (failure: unknown) => void = () => {},
): Promise<void> {
  const order = sortTasks(tasks)
  const limit = createLimit(concurrency)
  const settled = new Map<string, Promise<boolean>>()
  const failures: unknown[] = []
  for (const task of order) settled.set(task.id, start(task))
  await Promise.all(settled.values())
  if (failures.length > 0) throw failures[0]

  async function start(task: Task): Promise<boolean> {
    const needs = await Promise.all(task.needs.map((id) => settled.get(id) ?? true))
    if (!needs.every(Boolean)) return false
    const admit = task.waits ? (run: () => Promise<boolean>) => run() : limit
    return admit(async () => {
      if (failures.length > 0) return false
      try {
        await task.run()
        return true
      } catch (error) {
        if (failures.length === 0) onFailure(error)
        failures.push(error)
        return false
      }
    })
  }
}

/** The tasks in an order in which needs come first; input order decides between equals. */
export function sortTasks<T extends { readonly id: string; readonly needs: readonly string[] }>(
  tasks: readonly T[],
): T[] {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const done = new Set<string>()
  const open = new Set<string>()
  const sorted: T[] = []
  for (const task of tasks) visit(task)
  return sorted

  function visit(task: T): void {
    if (done.has(task.id)) return
    if (open.has(task.id)) throw new Error(`a cycle of needs: ${[...open, task.id].join(' > ')}`)
    open.add(task.id)
    for (const id of task.needs) {
      const needed = byId.get(id)
      if (needed) visit(needed)
    }
    open.delete(task.id)
    done.add(task.id)
    sorted.push(task)
  }
}
