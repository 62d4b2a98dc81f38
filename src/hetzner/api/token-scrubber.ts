import { redacted } from '../../lib/redactor.ts'

/** Shorter pieces of a token tell nothing and stand in ordinary words. */
const shortestRun = 8

/**
 * Takes the token out of texts, and any run of 8 or more characters of it: Hetzner's own message for
 * an exhausted rate limit quotes the first 32 of the token's 64 characters.
 */
export function createTokenScrubber(token: string): (text: string) => string {
  const runs = new Set<string>()
  for (let at = 0; at + shortestRun <= token.length; at++) {
    runs.add(token.slice(at, at + shortestRun))
  }
  return (text) => {
    let clean = ''
    let copied = 0
    for (let at = 0; at + shortestRun <= text.length; at++) {
      if (!runs.has(text.slice(at, at + shortestRun))) continue
      const end = endOfRun(text, at, runs)
      clean += text.slice(copied, at) + redacted
      copied = end
      at = end - 1
    }
    return clean + text.slice(copied)
  }
}

function endOfRun(text: string, start: number, runs: ReadonlySet<string>): number {
  let at = start
  while (runs.has(text.slice(at + 1, at + 1 + shortestRun))) at++
  return at + shortestRun
}
