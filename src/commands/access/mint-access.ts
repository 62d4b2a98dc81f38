import type { AdminCredentials } from '../../run/mode/credential-mint.ts'
import type { RunContext } from '../../run/run-context.ts'
import { inModeOf } from '../modes/cluster-modes.ts'
import { type AccessInput, mintInMode } from '../modes/mint-in-mode.ts'

/** Mints a kubeconfig, and what else of the cluster is reached with credentials of its own. */
export function mintAccess(context: RunContext, input: AccessInput): Promise<AdminCredentials> {
  return inModeOf(input.file, (mode) => mintInMode(mode, context, input, mode.credentials))
}
