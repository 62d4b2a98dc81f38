/** `text` with what is between `<!-- name:start -->` and `<!-- name:end -->` replaced; throws where they are not. */
export function replaceBetween(text: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`]
  const from = text.indexOf(start)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error(`no markers ${start} and ${end}`)
  return `${text.slice(0, from + start.length)}\n${content}${text.slice(to)}`
}
