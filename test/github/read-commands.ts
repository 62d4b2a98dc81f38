/** A workflow command as a runner understands it. */
export interface SeenCommand {
  readonly name: string
  readonly data: string
}

/** What GitHub's runner registers; any other name is plain text to it. */
const registered = new Set(
  [
    'stop-commands set-env set-output save-state add-mask add-path add-matcher remove-matcher',
    'debug notice warning error echo group endgroup',
  ].flatMap((names) => names.split(' ')),
)

/**
 * The commands that GitHub's runner sees in what a process wrote, by its rules and none of ours: lines end at any
 * of three ends, blanks before `::` do not count, `##[` counts anywhere. It looks for both by the rules of a
 * language, to which characters without a weight are not there: all that could be such are taken out here.
 */
export function githubCommands(written: string): SeenCommand[] {
  return written.split(/\r\n|\n|\r/).flatMap((raw) => {
    const line = raw.replace(/[\p{M}\p{C}\p{Default_Ignorable_Code_Point}]/gu, '').trimStart()
    const modern = line.startsWith('::') ? /^::(.*?)::(.*)$/.exec(line) : null
    const old = /##\[(.*?)\](.*)$/.exec(line)
    return [modern, old].flatMap((found): SeenCommand[] => {
      const name = found?.[1]?.split(' ')[0]?.toLowerCase() ?? ''
      return registered.has(name) ? [{ name, data: found?.[2] ?? '' }] : []
    })
  })
}

/** The commands that act sees: it takes any name, and ends lines at line feeds only. */
export function actCommands(written: string): SeenCommand[] {
  return written.split(/(?<=\n)/).flatMap((line) => {
    const found =
      /^::([^ ]+)( (.+))?::([^\r\n]*)[\r\n]+$/.exec(line) ??
      /^##\[([^ ]+)( (.+))?\]([^\r\n]*)[\r\n]+$/.exec(line)
    return found ? [{ name: found[1] ?? '', data: found[4] ?? '' }] : []
  })
}
