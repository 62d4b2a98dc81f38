import { Argument, Command } from 'commander'
import { toolVersion } from '../lib/tool-version.ts'
import { visibleLine } from '../lib/visible-text.ts'
import type { CliCommand, CommandGroup } from './command.ts'
import type { Settings } from './setting.ts'

/** Runs one command of the table; `typed` has the values of what it takes. */
export type RunCommand = (command: CliCommand, typed: Command) => Promise<void>

/**
 * The command line of the program, made from a table of commands; making it does nothing. `gate` gets each command
 * before it runs.
 */
export function programOf(
  table: readonly (CliCommand | CommandGroup)[],
  run: RunCommand,
  gate: (command: Command) => Promise<void> = async () => undefined,
): Command {
  const program = new Command('hcloud-talos')
    .description(
      'One YAML file becomes a Kubernetes cluster: Talos Linux on Hetzner Cloud, or kubeadm on hosts that exist.',
    )
    .version(toolVersion)
    .showHelpAfterError('(add --help for the options)')
    .configureOutput({
      // Like every other failure, it begins with its code.
      outputError: (text, write) =>
        write(`${visibleLine(text.replace(/^error: /, 'error usage: '))}\n`),
    })
    .addHelpText('after', environmentHelp)
    .hook('preAction', (_, command) => gate(command))
  const made = new Map<string, Command>()
  for (const entry of table) {
    const words = entry.name.split(' ')
    const parent = made.get(words.slice(0, -1).join(' ')) ?? program
    // It takes an argument too: the first word behind it is a command only where it is one of these.
    if (parent.registeredArguments.length > 0) parent.helpCommand(false).enablePositionalOptions()
    const command = parent.command(words.at(-1) ?? entry.name).description(entry.description)
    if (parent === program) command.addHelpText('after', () => renderExamples(table, entry.name))
    if ('run' in entry) declare(entry, command, run)
    made.set(entry.name, command)
  }
  return program
}

function declare(entry: CliCommand, command: Command, run: RunCommand): void {
  for (const [name, { part, absent }] of Object.entries(entry.takes)) {
    if (part instanceof Argument) {
      command.addArgument(part)
      continue
    }
    if (part.attributeName() !== name) throw new Error(`${part.flags} is called ${name}`)
    command.addOption(part)
    // Commander does not get it as a default: its help would name each flag's.
    if (part.defaultValue === undefined && absent !== undefined)
      command.setOptionValueWithSource(name, absent, 'default')
  }
  command.action(async () => {
    complete(command, entry.takes)
    await run(entry, command)
  })
}

/** Adds to the values of options those of arguments, and those of options that were typed before the last word. */
function complete(command: Command, takes: Settings): void {
  const { parent } = command
  let place = 0
  for (const [name, { part }] of Object.entries(takes)) {
    if (part instanceof Argument) {
      command.setOptionValue(name, command.processedArgs[place])
      place += 1
    } else if (parent?.getOptionValueSource(name) === 'cli')
      command.setOptionValue(name, parent.getOptionValue(name))
  }
}

/** The examples of a command and of those below it, as they stand below its help. */
function renderExamples(table: readonly CommandGroup[], name: string): string {
  const lines = table
    .filter((entry) => entry.name.split(' ')[0] === name)
    .flatMap(({ examples }) => examples)
    .flatMap(({ purpose, line }) => [
      `  # ${purpose}`,
      `  ${['hcloud-talos', name, line].join(' ').trim()}`,
    ])
  return `\nExamples:\n${lines.join('\n')}`
}

const environmentHelp = `
Environment:
  HCLOUD_TOKEN                    token of the project; a read-only one does for
                                  a plan
  HCLOUD_TALOS_AGE_IDENTITY       the age identity that opens the state; a plan
                                  needs none
  HCLOUD_TALOS_AGE_IDENTITY_FILE  the file that holds it
  GITHUB_TOKEN, GH_TOKEN          for doctor, and to prove that a run which
                                  holds a lock has ended
  HCLOUD_TALOS_REMOTE             where the state branch is: a remote of this
                                  repository or a URL (default: origin)
  AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL_S3, AWS_REGION
                                  the object storage of s3:// places, such as
                                  https://fsn1.your-objectstorage.com
  HCLOUD_TALOS_SECRET_<NAME>      for an apply, a secret that the file refers to
                                  as \${secret:name}
  HCLOUD_TALOS_RECORD             as --record, for every command and action
  NO_COLOR                        no colours

Exit codes: 0 done or nothing to do, 1 a bug, 2 changes are pending (plan
--detailed-exitcode), 3 wrong usage, 130 interrupted; the others are in
docs/troubleshooting.md.`
