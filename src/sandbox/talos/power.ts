import { SequenceEvent_Action as Action } from '../../talos/api/gen/machine/machine_pb.js'
import type { StageName } from './machine-stage.ts'
import { pause } from './pause.ts'
import type { TalosNode } from './talos-node.ts'

export interface WayDown {
  readonly node: TalosNode
  readonly sequence: 'reboot' | 'shutdown' | 'reset' | 'upgrade'
  readonly stage: StageName
  readonly actorId: string
  /** While the services still run. A text says why it failed: nothing else is done then, and the machine reboots. */
  readonly first?: () => string | undefined
  /** When they have stopped, with the same meaning of a text. */
  readonly work?: () => Promise<string | undefined>
  /** What the machine does at last. */
  readonly end: 'reboot' | 'shutdown'
}

/**
 * Takes a node down as Talos does: the stage is told, services stop, the work is done, and the
 * machine reboots or switches itself off. Returns at once; nothing where the node is on its way
 * down already.
 */
export function goDown({ node, sequence, stage, actorId, first, work, end }: WayDown): void {
  if (node.stage.isGoingDown || node.signal.aborted) return
  node.stage.sequence(sequence, Action.START, actorId)
  node.stage.enter(stage, actorId)
  node.background(async () => {
    await pause(node, 'go-down')
    const early = first?.()
    await node.stopServices()
    const problem = early ?? (await work?.())
    node.stage.sequence(sequence, Action.STOP, actorId, problem)
    // What watches the node hears of it before the connection ends.
    await new Promise((done) => setImmediate(done))
    const { world, machine } = node
    const off = end === 'shutdown' && problem === undefined
    // Not awaited: both wait for this node to stop.
    world.background(() => (off ? world.shutdown(machine) : world.reboot(machine)))
  })
}

export function reboot(node: TalosNode, actorId: string): void {
  goDown({ node, sequence: 'reboot', stage: 'rebooting', actorId, end: 'reboot' })
}
