import type { RunContext } from '../../run/run-context.ts'
import { inModeOf } from '../modes/cluster-modes.ts'
import {
  type SnapshotInput,
  snapshotInMode,
  type TakenSnapshot,
} from '../modes/snapshot-in-mode.ts'

/** Takes a sealed snapshot of a cluster's etcd. Takes no lock, and changes nothing. */
export function snapshotCluster(context: RunContext, input: SnapshotInput): Promise<TakenSnapshot> {
  return inModeOf(input.file, (mode) => snapshotInMode(mode, context, input))
}
