import type { StateRecorder } from '../run/state-recorder.ts'

/** The state knows the node, and what it stood on, no more. */
export function forgetNode(recorder: StateRecorder, name: string): void {
  if (!recorder.inventory.nodes.some((node) => node.name === name)) return
  recorder.record(
    `Forget ${name}`,
    (inventory) => ({ ...inventory, nodes: inventory.nodes.filter((node) => node.name !== name) }),
    { [name]: undefined },
  )
}
