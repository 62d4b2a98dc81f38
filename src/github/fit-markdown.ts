/** What GitHub takes at most: beyond it a comment is refused, and a summary is dropped whole. */
export const markdownLimits = {
  /** Characters of a comment's or an issue's body; counted in bytes, to be on the safe side. */
  comment: 65_000,
  /** Bytes of one step's summary. */
  summary: 1_000_000,
} as const

const notice = '\n\n_Cut here: it is longer than GitHub takes. The log has all of it._\n'

/**
 * Markdown that has at most `limit` UTF-8 bytes: cut at the end of a line, with what was open there
 * (code fences, `<details>`) closed and a notice that it was cut.
 */
export function fitMarkdown(text: string, limit: number): string {
  if (byteLength(text) <= limit) return text
  const kept: string[] = []
  let left = limit - byteLength(notice) - closingReserve
  for (const line of text.split('\n')) {
    left -= byteLength(line) + 1
    if (left < 0) break
    kept.push(line)
  }
  return `${kept.join('\n')}${closeOpen(kept)}${notice}`
}

/** Room for the closing of a fence and of a few details. */
const closingReserve = 200

function closeOpen(lines: readonly string[]): string {
  let fence: string | undefined
  let details = 0
  for (const line of lines) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark && (fence === undefined || mark.startsWith(fence))) fence = fence ? undefined : mark
    if (fence !== undefined) continue
    details += count(line, '<details>') - count(line, '</details>')
  }
  const closing = fence === undefined ? '' : `\n${fence}`
  return `${closing}${'\n\n</details>'.repeat(Math.max(0, Math.min(details, 10)))}`
}

function count(line: string, part: string): number {
  return line.split(part).length - 1
}

/** In UTF-8. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}
