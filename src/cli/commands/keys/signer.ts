import { defineCommand } from '../../command.ts'

/** Prints the public halves of the keys with which the given identities sign. Asks nobody. */
export const signer = defineCommand({
  name: 'signer',
  description: 'print who signs the state with the age identity given',
  examples: [{ purpose: 'for state.signer of the cluster file', line: '' }],
  takes: {},
  async run({ terminal, openContext }) {
    const { stateSigners } = await import('../../../commands/state/state-signers.ts')
    await using context = await openContext()
    const signers = await stateSigners(context.state.identity, context.redactor)
    terminal.print(`${signers.join('\n')}\n`)
    return 0
  },
})
