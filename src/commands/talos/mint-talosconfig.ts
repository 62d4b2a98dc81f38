import type { RunContext } from '../../run/run-context.ts'
import type { TalosRole } from '../../talos/config/talosconfig.ts'
import { hetznerTalos } from '../modes/hetzner-talos/hetzner-talos.ts'
import { talosconfigOf } from '../modes/hetzner-talos/talos-credentials.ts'
import { type AccessInput, mintInMode } from '../modes/mint-in-mode.ts'

export interface TalosconfigInput extends AccessInput {
  /** What its bearer may do; everything where it is absent. */
  readonly role?: TalosRole
}

/** Mints a talosconfig alone, which is good while nodes can be reached, whatever else of the cluster has ended. */
export function mintTalosconfig(context: RunContext, input: TalosconfigInput): Promise<string> {
  return mintInMode(hetznerTalos, context, input, talosconfigOf(input.role))
}
