import type { Command, Option } from 'commander'
import type { Shell } from './program.ts'

/** What can stand where, read off the program's own commands, arguments and options. */
interface Words {
  readonly name: string
  readonly commands: readonly CommandWords[]
  readonly options: readonly string[]
}

interface CommandWords {
  readonly name: string
  readonly description: string
  readonly options: readonly OptionWords[]
  /** What its first argument may be. */
  readonly argumentChoices: readonly string[]
}

interface OptionWords {
  readonly flags: readonly string[]
  readonly description: string
  readonly takes: 'nothing' | 'anything' | 'file' | 'folder' | readonly string[]
}

/** A completion script for a shell, made from the program, so that it knows what the program knows. */
export function completionScript(program: Command, shell: Shell): string {
  const words = readWords(program)
  switch (shell) {
    case 'bash':
      return bashScript(words)
    case 'zsh':
      return `(( $+functions[compdef] )) || { autoload -U compinit && compinit; }
autoload -U +X bashcompinit && bashcompinit
${bashScript(words)}`
    case 'fish':
      return fishScript(words)
  }
}

function readWords(program: Command): Words {
  return {
    name: program.name(),
    options: ['--help', '--version'],
    commands: program.commands.map((command) => ({
      name: command.name(),
      description: command.description(),
      argumentChoices: command.registeredArguments[0]?.argChoices ?? [],
      options: [
        ...command.options.map(readOption),
        { flags: ['-h', '--help'], description: 'show its help', takes: 'nothing' },
      ],
    })),
  }
}

function readOption({ short, long, flags, description, argChoices }: Option): OptionWords {
  const kind = /<(file|folder)>/.exec(flags)?.[1]
  const other = flags.includes('<') ? 'anything' : 'nothing'
  return {
    flags: [short, long].filter((flag) => flag !== undefined && flag !== null),
    description,
    takes: argChoices ?? (kind === 'file' || kind === 'folder' ? kind : other),
  }
}

function bashScript({ name, commands, options }: Words): string {
  const fn = `_${name.replaceAll('-', '_')}`
  const names = [...commands.map((command) => command.name), ...options].join(' ')
  const values = commands.flatMap((command) =>
    command.options.flatMap((option) => bashValue(command.name, option)),
  )
  const words = commands.map(
    (command) =>
      `    ${command.name}) words="${[
        ...command.argumentChoices,
        ...command.options.flatMap(({ flags }) => flags.filter((flag) => flag.startsWith('--'))),
      ].join(' ')}" ;;`,
  )
  return `${fn}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${names}" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]} $previous" in
${values.join('\n')}
  esac
  case "\${COMP_WORDS[1]}" in
${words.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F ${fn} ${name}
`
}

/** What follows an option that takes a value. */
function bashValue(command: string, { flags, takes }: OptionWords): string[] {
  if (takes === 'nothing') return []
  const patterns = flags.map((flag) => `"${command} ${flag}"`).join('|')
  return [`    ${patterns}) COMPREPLY=(${bashWords(takes)}); return ;;`]
}

function bashWords(takes: Exclude<OptionWords['takes'], 'nothing'>): string {
  if (takes === 'file') return '$(compgen -f -- "$current")'
  if (takes === 'folder') return '$(compgen -d -- "$current")'
  if (takes === 'anything') return ''
  return `$(compgen -W "${takes.join(' ')}" -- "$current")`
}

function fishScript({ name, commands }: Words): string {
  const lines = commands.flatMap((command) => [
    `complete -c ${name} -f -n __fish_use_subcommand -a ${command.name} -d ${fishText(command.description)}`,
    ...command.argumentChoices.map(
      (choice) =>
        `complete -c ${name} -f -n '__fish_seen_subcommand_from ${command.name}' -a ${choice}`,
    ),
    ...command.options.map((option) => fishOption(name, command.name, option)),
  ])
  return `complete -c ${name} -f\n${lines.join('\n')}\n`
}

function fishOption(
  name: string,
  command: string,
  { flags, takes, description }: OptionWords,
): string {
  return [
    `complete -c ${name} -n '__fish_seen_subcommand_from ${command}'`,
    ...flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`)),
    ...fishValue(takes),
    `-d ${fishText(description)}`,
  ].join(' ')
}

function fishValue(takes: OptionWords['takes']): string[] {
  if (takes === 'nothing') return []
  if (takes === 'anything') return ['-x']
  if (takes === 'file' || takes === 'folder') return ['-r', '-F']
  return ['-x', `-a '${takes.join(' ')}'`]
}

function fishText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
