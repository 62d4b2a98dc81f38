import { visibleText } from '../lib/visible-text.ts'

/** How a sign is set apart: readable in a log, or so that JSON with it still says the same. */
type Apart = 'blank' | 'escape'

/**
 * A text of any origin in which no runner finds a workflow command, however it is cut into lines. Commands are
 * `::name …::` at the start of a line and `##[name]` anywhere in it. GitHub's runner compares by the rules of a
 * language, which skip characters without a weight of their own: so nothing is hidden between the signs that are
 * set apart, but something that has one. IPv6 addresses and headings stay as they are.
 */
export function harmlessText(text: string, apart: Apart = 'blank'): string {
  return visibleText(text)
    .split('\n')
    .map((line) => harmlessLine(line, apart))
    .join('\n')
}

function harmlessLine(line: string, apart: Apart): string {
  const [colon, hash] = apart === 'blank' ? [' :', ' #'] : ['\\u003a', '\\u0023']
  return line
    .replace(/(?<=#\p{M}*)#(?=\p{M}*\[)/gu, hash)
    .replace(/(?<=^[\s\p{M}]*:\p{M}*):/u, colon)
    .replace(/(?<=:\p{M}*):(?=[\p{M}\w-]*[g-z_-])/giu, colon)
}
