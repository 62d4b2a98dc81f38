import type { Command } from 'commander'
import { notConfirmed } from './confirm-plan.ts'
import type { Terminal } from './terminal/terminal.ts'

/** Subcommands that show what they would do before they ask. */
const asking = ['apply', 'adopt', 'upgrade', 'revoke']

/**
 * The one gate before every subcommand that changes something, which are those that can be told not to ask. Where
 * nobody can be asked it must have been told so, since a "no" that is piped in is no yes; a person is asked here, or
 * by the subcommand with what it would do. A destroy and a restore want a name instead of a yes: they show first what
 * they would do, and end there without it. Throws `not-confirmed`.
 */
export async function confirmChange(terminal: Terminal, command: Command): Promise<void> {
  const options: Readonly<Record<string, unknown>> = command.opts()
  const asksForYes = command.options.some((option) => option.attributeName() === 'yes')
  if (!asksForYes || options['yes'] === true) return
  if (options['dryRun'] === true || options['prepare'] === true) return
  const isVerb = command.parent?.parent !== null
  if (terminal.questions === 'nobody') {
    throw notConfirmed('Give --yes: standard input is no terminal, so nobody can be asked.')
  }
  if (isVerb || asking.includes(command.name())) return
  const question = `This will ${command.description()}. Carry this out? Only "yes" does: `
  if ((await terminal.ask(question)) !== 'yes') throw notConfirmed('Answer yes, or give --yes.')
}
