/** A figure in a file of a control group; `max` is one without a limit, null one that is not there. */
export type Figure = number | 'max' | null

/** The first of those in a line: `max 100000`, `4096`. */
export function figureIn(text: string | undefined): Figure {
  return figureOf(text?.split(/\s/, 1)[0])
}

/** What stands behind a key in a file of keys: `user_usec 5120`. */
export function figureOfKey(text: string | undefined, key: string): Figure {
  const line = linesOf(text).find((each) => each.startsWith(`${key} `))
  return figureOf(line?.slice(key.length + 1).trim())
}

/** What stands behind a key and one below it: `some avg10=0.12 avg60=0.00`. */
export function figureOfPair(text: string | undefined, key: string, below: string): Figure {
  return figureOf(pairsOf(text).get(key)?.get(below))
}

/** The keys of a file of keys with others below them; some have none. */
export function pairsOf(text: string | undefined): Map<string, Map<string, string>> {
  return new Map(
    linesOf(text).map((line) => {
      const [key = '', ...pairs] = line.split(' ').filter(Boolean)
      return [key, new Map(pairs.map((pair) => [cut(pair)[0], cut(pair)[1]]))]
    }),
  )
}

/** Lines that are not empty. */
export function linesOf(text: string | undefined): string[] {
  return (text ?? '').split('\n').filter(Boolean)
}

/** Where the file has nothing in it, as a group that has no processors of its own, neither has this. */
export function wordsIn(text: string | undefined): string | null {
  return text === undefined ? null : text.trim()
}

function cut(pair: string): [string, string] {
  const at = pair.indexOf('=')
  return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
}

function figureOf(text: string | undefined): Figure {
  if (text === 'max') return 'max'
  return text !== undefined && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : null
}
