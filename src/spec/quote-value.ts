const longestShown = 60

/** What must never be repeated in a message, should it stand in the file by mistake. */
const secretLike =
  /AGE-SECRET-KEY-|PRIVATE KEY|^[A-Za-z0-9]{64}$|^gh[pousr]_|^github_pat_|client-key-data/i

/**
 * A text of the file as messages show it: in backticks, on one line, at most 60 characters long, and
 * not at all where it looks like a secret.
 */
export function quoteValue(text: string): string {
  if (secretLike.test(text)) return '(hidden, it looks like a secret)'
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('`', "'")
  return line.length > longestShown ? `\`${line.slice(0, longestShown)}…\`` : `\`${line}\``
}

/**
 * A value of any type, in the words of people who do not write programs. Not itself where it belongs to patches: what is
 * written at the wrong place there may hold any secret.
 */
export function describeValue(value: unknown, path: readonly (string | number)[] = []): string {
  const isOfPatches = path.some((step) => /patches$/i.test(String(step)))
  if (isOfPatches && typeof value === 'string') return 'a text'
  if (value === null) return 'empty'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a mapping'
  if (typeof value === 'string')
    return value === '' ? 'an empty text' : `the text ${quoteValue(value)}`
  return typeof value === 'number' ? `the number \`${value}\`` : `\`${String(value)}\``
}
