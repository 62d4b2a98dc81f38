import type { Command } from 'commander'
import { ClusterError } from '../lib/cluster-error.ts'

/** A completion script, made from the program's own commands and options. Throws `usage` for another shell. */
export function completionScript(program: Command, shell: string): string {
  const name = program.name()
  const words = new Map(
    program.commands.map((command) => [
      command.name(),
      { description: command.description(), options: longOptions(command) },
    ]),
  )
  switch (shell) {
    case 'bash':
      return bash(name, words)
    case 'zsh':
      return `autoload -U +X bashcompinit && bashcompinit\n${bash(name, words)}`
    case 'fish':
      return fish(name, words)
    default:
      throw new ClusterError('usage', `there is no completion for ${shell}`, {
        hint: 'bash, zsh and fish are known',
      })
  }
}

type Words = ReadonlyMap<
  string,
  { readonly description: string; readonly options: readonly string[] }
>

function longOptions(command: Command): string[] {
  return [...command.options.map(({ long }) => long ?? ''), '--help'].filter(
    (option) => option !== '',
  )
}

function bash(name: string, words: Words): string {
  const cases = [...words].map(
    ([command, { options }]) => `    ${command}) words="${options.join(' ')}" ;;`,
  )
  const fn = `_${name.replaceAll('-', '_')}`
  return `${fn}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    *) words="${[...words.keys()].join(' ')} --help --version" ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words="${[...words.keys()].join(' ')} --help --version"; fi
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
    --config|-c|--out|-o|--plan|--folder) COMPREPLY=($(compgen -f -- "$current")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
  esac
}
complete -F ${fn} ${name}
`
}

function fish(name: string, words: Words): string {
  const lines = [...words].flatMap(([command, { description, options }]) => [
    `complete -c ${name} -f -n __fish_use_subcommand -a ${command} -d '${description.replaceAll("'", "\\'")}'`,
    ...options.map(
      (option) =>
        `complete -c ${name} -n '__fish_seen_subcommand_from ${command}' -l ${option.slice(2)}`,
    ),
  ])
  return `${lines.join('\n')}\n`
}
