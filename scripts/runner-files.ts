/** A workflow command that a step printed: `::name key=value,key=value::message`. */
export interface WorkflowCommand {
  readonly name: string
  readonly properties: Readonly<Record<string, string>>
  readonly message: string
}

/** What a step wrote into a command file: `name=value` lines, and `name<<delimiter` blocks. */
export function parseCommandFile(text: string): Record<string, string> {
  const entry = /^([^=\n]+?)<<(\S+)\n(?:([\s\S]*?)\n)?\2$|^([^=\n]+)=(.*)$/gm
  const found = [...text.matchAll(entry)].map(([, block, , lines, name, value]) =>
    block === undefined ? [name ?? '', value ?? ''] : [block, lines ?? ''],
  )
  return Object.fromEntries(found)
}

/** The workflow command in a line of output; undefined where it is none. */
export function parseWorkflowCommand(line: string): WorkflowCommand | undefined {
  const match = /^::([a-z-]+)(?: ([^:]*(?::(?!:)[^:]*)*))?::(.*)$/.exec(line)
  if (!match) return undefined
  const [, name = '', properties = '', message = ''] = match
  const pairs = properties.split(',').flatMap((pair) => {
    const at = pair.indexOf('=')
    return at < 0 ? [] : [[pair.slice(0, at).trim(), decode(pair.slice(at + 1))]]
  })
  return { name, properties: Object.fromEntries(pairs), message: decode(message) }
}

/** The toolkit escapes what would end a line or a property. */
function decode(text: string): string {
  return text
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n')
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replaceAll('%25', '%')
}
