import type { RunContext } from '../../run/run-context.ts'
import {
  type ChangedSecret,
  type RemoveSecretInput,
  removeSecretInMode,
  type SetSecretInput,
  setSecretInMode,
} from '../modes/change-secret-in-mode.ts'
import { inModeOf } from '../modes/cluster-modes.ts'

/** Keeps the value of a named secret in the state of a cluster. */
export function setSecret(context: RunContext, input: SetSecretInput): Promise<ChangedSecret> {
  return inModeOf(input.file, (mode) => setSecretInMode(mode, context, input))
}

/** Takes a named secret out of the state of a cluster. */
export function removeSecret(
  context: RunContext,
  input: RemoveSecretInput,
): Promise<ChangedSecret> {
  return inModeOf(input.file, (mode) => removeSecretInMode(mode, context, input))
}
