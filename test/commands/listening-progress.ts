import type { Progress } from '../../src/lib/progress.ts'

/** Progress that keeps every line that it is told, before any redaction. */
export function listeningProgress(lines: string[]): Progress {
  const keep = (line: string | undefined) => {
    if (line !== undefined) lines.push(line)
  }
  return {
    phase(title) {
      keep(title)
      return { step: keep, fraction() {}, succeed: keep, fail: keep, skip: keep }
    },
    info: keep,
    warn: keep,
  }
}
