import { type Command, Option } from 'commander'
import { newIdentityFile } from '../run/identity-files.ts'
import type { CommandName } from './command-examples.ts'
import type { Handlers } from './handler-options.ts'

/** How a program makes its subcommands. */
export interface CommandMakers {
  /** A subcommand with its examples. */
  readonly command: (name: CommandName, description: string) => Command
  /** One that is about the cluster of a file. */
  readonly clusterCommand: (name: CommandName, description: string) => Command
  /** What commander is to call for a handler. */
  readonly run: <Options>(
    handle: (options: Options) => Promise<number>,
  ) => (options: Options) => Promise<void>
}

/** The subcommands about the state branch and who holds its keys. */
export function addStateCommands(
  { command, clusterCommand, run }: CommandMakers,
  handlers: Handlers,
): void {
  clusterCommand('verify', 'verify the state branch, generation by generation').action(
    run(handlers.verify),
  )

  command('signer', 'print who signs the state with the age identity given').action(
    run(handlers.signer),
  )

  clusterCommand(
    'doctor',
    'look for what is wrong with the cluster and around it, and name the command that fixes it',
  )
    .addOption(
      new Option('--fail-on <severity>', 'from which severity on a finding fails the command')
        .choices(['bad', 'weak', 'unknown'])
        .default('bad'),
    )
    .option('--allow-unknown', 'succeed although something could not be looked at')
    .action(run(handlers.doctor))

  clusterCommand('unlock', 'show who holds the lock; break it if its run has ended')
    .option('-y, --yes', 'do not ask')
    .action(run(handlers.unlock))

  clusterCommand('rotate', 'hand the state over to a new age identity')
    .option('--prepare', 'make it, and show what to write into the cluster file')
    .option('--new-identity <file>', 'where it is', newIdentityFile)
    .option('--post-quantum', 'make one that is safe from quantum computers')
    .option('-y, --yes', 'do not ask')
    .action(run(handlers.rotate))

  clusterCommand('revoke', 'replace what somebody with a former identity knows')
    .option('--new-identity <file>', 'where the new identity is', newIdentityFile)
    .option('-y, --yes', 'do not ask')
    .action(run(handlers.revoke))

  clusterCommand('export', 'write the state into one encrypted file, to be kept elsewhere')
    .option('-o, --out <file>', 'where it goes (default: <cluster>-recovery.tar.age)')
    .action(run(handlers.export))

  clusterCommand('import', 'restore the state from such a file')
    .requiredOption('--from <file>', 'what export wrote')
    .option('--accept-older', 'take one that is older than Hetzner remembers')
    .option('--replace-older', 'take the place of a state that was imported from an older file')
    .option('-y, --yes', 'do not ask')
    .action(run(handlers.import))

  clusterCommand('repair', 'bring a damaged state branch back to one that verifies')
    .option('--accept-older', 'go on from an older generation, where newer ones are lost for good')
    .option('--reason <text>', 'why, for whoever verifies the branch later')
    .option('--confirm <digest>', 'the digest of what it shows; at a terminal it asks instead')
    .action(run(handlers.repair))

  clusterCommand('compact', 'squash the history of the state branch')
    .option('--with-others', 'even if other clusters have their history there')
    .option('-y, --yes', 'do not ask')
    .action(run(handlers.compact))
}
