/** Characters that make people read a text in another order than it is written in. */
const direction = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/**
 * A text from outside as Markdown that shows it and does nothing else: no formatting, no HTML, no
 * mention that notifies a team, no line break that ends a table row.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replace(direction, '')
    .replace(/\s+/g, ' ')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/@/g, '@\u200b')
    .replace(/[\\`*_{}[\]|#~]/g, '\\$&')
}

/** A text from outside as inline code that also fits in a table cell. */
export function inlineCode(text: string): string {
  const line = text.replace(direction, '').replace(/\s+/g, ' ').replace(/\|/g, '\\|')
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  const padding = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return `${fence}${padding}${line}${padding}${fence}`
}
