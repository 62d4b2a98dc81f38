import type { ClusterFile } from '../../run/cluster-file.ts'
import type { RunContext } from '../../run/run-context.ts'
import { inModeOf } from '../modes/cluster-modes.ts'
import { type ListedSecret, listSecretsInMode } from '../modes/list-secrets-in-mode.ts'

/** The named secrets of a cluster, without any value. Needs neither the identity nor a token. */
export function listSecrets(
  context: RunContext,
  file: ClusterFile,
): Promise<readonly ListedSecret[]> {
  return inModeOf(file, (mode) => listSecretsInMode(mode, context, file))
}
