import type { ClusterFile } from '../../run/cluster-file.ts'
import type { MissingAccess } from '../../run/mode/machine-provider.ts'
import type { RunContext } from '../../run/run-context.ts'
import { inModeOf } from '../modes/cluster-modes.ts'

/** What this run lacks to look at the cluster of a file. Throws a `FindingsError` with all that is wrong with the file. */
export function missingAccess(
  context: RunContext,
  file: ClusterFile,
): Promise<MissingAccess | undefined> {
  return inModeOf(file, async ({ machines, read }) =>
    machines.missingAccess(context, read(file).spec),
  )
}
