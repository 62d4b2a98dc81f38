import type { ObjectStore } from '../model/object-store.ts'
import type { Controller, Later } from './controller.ts'

/**
 * Runs controllers on the events of a store: keys are collected and looked at together, in the order
 * of the controllers, until nothing is left. Returns how to stop.
 */
export function runControllers(
  store: ObjectStore,
  controllers: readonly Controller[],
  later: Later,
): () => void {
  const queues = new Map(controllers.map((controller) => [controller, new Set<string>()]))
  let scheduled: NodeJS.Immediate | undefined
  let stopped = false

  const unsubscribe = store.subscribe((event) => {
    for (const [controller, queue] of queues) {
      for (const key of controller.concerns(event)) queue.add(key)
    }
    schedule()
  })

  function schedule(): void {
    if (!stopped) scheduled ??= setImmediate(drain)
  }

  function drain(): void {
    scheduled = undefined
    for (const [controller, queue] of queues) {
      const keys = [...queue]
      queue.clear()
      for (const key of keys) reconcileOne(controller, key)
    }
    if ([...queues.values()].some((queue) => queue.size > 0)) schedule()
  }

  function reconcileOne(controller: Controller, key: string): void {
    const again = controller.reconcile(key)
    if (again === undefined) return
    later(again, () => {
      queues.get(controller)?.add(key)
      schedule()
    })
  }

  return () => {
    stopped = true
    unsubscribe()
    if (scheduled) clearImmediate(scheduled)
  }
}
