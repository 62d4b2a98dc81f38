/** How many spans are named. */
const mostSpans = 8

/** Names on one line: `demo-workers-1..97, demo-gpu-3`. What ends with numbers that follow one another is one span. */
export function nameRange(names: readonly string[]): string {
  const spans: { prefix: string; from: number; to: number; text: string }[] = []
  for (const name of names) {
    const [, prefix = name, digits] = /^(.*-)([1-9]\d*)$/.exec(name) ?? []
    const number = Number(digits ?? Number.NaN)
    const last = spans.at(-1)
    if (last?.prefix === prefix && last.to + 1 === number) last.to = number
    else spans.push({ prefix, from: number, to: number, text: name })
  }
  const texts = spans.map(({ text, to, from }) => (to > from ? `${text}..${to}` : text))
  const left = texts.length - mostSpans
  return left > 0 ? `${texts.slice(0, mostSpans).join(', ')} and ${left} more` : texts.join(', ')
}
