import type { Command, Option } from 'commander'

type Shell = 'bash' | 'zsh' | 'fish'

/** What can stand where, read off the program's own commands, arguments and options. */
interface Words {
  readonly name: string
  /** Every command, those below others too. */
  readonly commands: readonly CommandWords[]
  readonly options: readonly string[]
}

interface CommandWords {
  /** From the top: `talos etcd members`. */
  readonly path: readonly string[]
  readonly description: string
  readonly options: readonly OptionWords[]
  /** What its first argument may be: a choice, or a command below it. */
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
    commands: program.commands.flatMap((command) => readCommand(command, [])),
  }
}

function readCommand(command: Command, above: readonly string[]): CommandWords[] {
  const path = [...above, command.name()]
  const below = command.commands.flatMap((each) => readCommand(each, path))
  const own = {
    path,
    description: command.description(),
    argumentChoices: [
      ...command.commands.map((each) => each.name()),
      ...(command.registeredArguments[0]?.argChoices ?? []),
    ],
    options: [
      ...command.options.map(readOption),
      { flags: ['-h', '--help'], description: 'show its help', takes: 'nothing' as const },
    ],
  }
  return [own, ...below]
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
  const top = commands.filter(({ path }) => path.length === 1).map(({ path }) => path.join(' '))
  const paths = commands.map(({ path }) => `"${path.join(' ')}"`).join('|')
  const values = commands.flatMap(({ path, options: own }) =>
    own.flatMap((option) => bashValue(path.join(' '), option)),
  )
  const words = commands.map(
    (command) =>
      `    "${command.path.join(' ')}") words="${[
        ...command.argumentChoices,
        ...command.options.flatMap(({ flags }) => flags.filter((flag) => flag.startsWith('--'))),
      ].join(' ')}" ;;`,
  )
  return `${fn}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words path word
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${[...top, ...options].join(' ')}" -- "$current"))
    return
  fi
  path="\${COMP_WORDS[1]}"
  for word in "\${COMP_WORDS[@]:2:COMP_CWORD-2}"; do
    case "$path $word" in
    ${paths}) path="$path $word" ;;
    *) break ;;
    esac
  done
  case "$path $previous" in
${values.join('\n')}
  esac
  case "$path" in
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
  const lines = commands.flatMap((command) => {
    const { path, description, argumentChoices, options } = command
    const above = path.slice(0, -1)
    const known = commands.find((each) => each.path.join(' ') === above.join(' '))
    const others = known?.argumentChoices ?? []
    const where = above.length === 0 ? '__fish_use_subcommand' : fishIn(above, others)
    const below = commands.filter((each) => each.path.slice(0, -1).join(' ') === path.join(' '))
    const choices = argumentChoices.slice(below.length)
    return [
      `complete -c ${name} -f -n '${where}' -a ${path.at(-1)} -d ${fishText(description)}`,
      ...choices.map((choice) => `complete -c ${name} -f -n '${fishIn(path)}' -a ${choice}`),
      ...options.map((option) => fishOption(name, path, option)),
    ]
  })
  return `complete -c ${name} -f\n${lines.join('\n')}\n`
}

/** The condition that these were typed, and none of those. */
function fishIn(path: readonly string[], without: readonly string[] = []): string {
  const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`)
  const unseen = without.length > 0 ? [`not __fish_seen_subcommand_from ${without.join(' ')}`] : []
  return [...seen, ...unseen].join('; and ')
}

function fishOption(
  name: string,
  path: readonly string[],
  { flags, takes, description }: OptionWords,
): string {
  return [
    `complete -c ${name} -n '${fishIn(path)}'`,
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
