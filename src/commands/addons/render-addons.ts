import type { ShownAddon } from '../../addons/show-addons.ts'
import type { RunContext } from '../../run/run-context.ts'
import { type AddonsInput, renderAddonsInMode } from '../modes/addons-in-mode.ts'
import { inModeOf } from '../modes/cluster-modes.ts'

/** See `renderAddonsInMode`, in the mode of the file. */
export function renderAddons(
  context: RunContext,
  input: AddonsInput,
): Promise<readonly ShownAddon[]> {
  return inModeOf(input.file, (mode) => renderAddonsInMode(mode, context, input))
}
