import { visibleLine, visibleText } from '../lib/visible-text.ts'

/**
 * Takes part in nothing: GitHub looks for mentions, issues and addresses in what was rendered, where a backslash
 * is gone, and finds none across it.
 */
const apart = '\u200b'

/**
 * A text from outside as Markdown that shows it and does nothing else: no formatting, no HTML, no link, no
 * mention that notifies a team, no reference that shows up in an issue, no line break that ends a table row.
 */
export function escapeMarkdown(text: string): string {
  return visibleLine(text)
    .replace(/\s+/g, ' ')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/[\\`*_{}[\]|#~$^]/g, '\\$&')
    .replace(/@|#|:(?=\/\/)|\bGH(?=-\d)|\bwww(?=\.)/gi, `$&${apart}`)
}

/** A text from outside as inline code that also fits in a table cell. */
export function inlineCode(text: string): string {
  const line = visibleLine(text)
    .replace(/\s+/g, ' ')
    // To a table a backslash escapes the one behind it, and the pipe then ends the cell.
    .replace(/\\(?=\|)/g, `\\${apart}`)
    .replace(/\|/g, '\\|')
  const longest = longestRun(line)
  const fence = '`'.repeat(longest + 1)
  const padding = line === '' || line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return `${fence}${padding}${line}${padding}${fence}`
}

/** Lines from outside as a block of code that ends where they end. Ends with a line feed. */
export function codeBlock(text: string): string {
  const lines = visibleText(text).trimEnd()
  const fence = '`'.repeat(Math.max(3, longestRun(lines) + 1))
  return `${fence}text\n${lines}\n${fence}\n`
}

/** A finished document without characters that nobody sees, but for what `escapeMarkdown` adds. */
export function visibleMarkdown(text: string): string {
  return text.split(apart).map(visibleText).join(apart)
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))
}
