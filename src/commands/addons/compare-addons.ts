import type { ComparedAddon } from '../../addons/compare-installed.ts'
import type { RunContext } from '../../run/run-context.ts'
import { type AddonsInput, compareAddonsInMode } from '../modes/addons-in-mode.ts'
import { inModeOf } from '../modes/cluster-modes.ts'

/** See `compareAddonsInMode`, in the mode of the file. */
export function compareAddons(
  context: RunContext,
  input: AddonsInput,
): Promise<readonly ComparedAddon[]> {
  return inModeOf(input.file, (mode) => compareAddonsInMode(mode, context, input))
}
