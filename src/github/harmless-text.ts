import { visibleText } from '../lib/visible-text.ts'

/**
 * A text of any origin in which no runner finds a workflow command, however it is cut into lines. Commands are
 * `::name …::` at the start of a line and `##[name]` anywhere in it. GitHub's runner compares by the rules of a
 * language, which skip characters without a weight of their own: so nothing is hidden between the signs that are
 * set apart, but a blank. IPv6 addresses stay as they are.
 */
export function harmlessText(text: string): string {
  return visibleText(text).split('\n').map(harmlessLine).join('\n')
}

function harmlessLine(line: string): string {
  return line
    .replace(/#(?=\p{M}*#)/gu, '# ')
    .replace(/^([\s\p{M}]*):(?=\p{M}*:)/u, '$1: ')
    .replace(/:(?=\p{M}*:[\p{M}\w-]*[g-z_-])/giu, ': ')
}
