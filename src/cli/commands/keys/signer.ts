import { stateSigners } from '../../../commands/state/state-signers.ts'
import type { CommandParts } from '../../handlers.ts'

/** Prints the public halves of the keys with which the given identities sign. Asks nobody. */
export async function signerCommand({ terminal, openContext }: CommandParts): Promise<number> {
  await using context = await openContext()
  const signers = await stateSigners(context.state.identity, context.redactor)
  terminal.print(`${signers.join('\n')}\n`)
  return 0
}
