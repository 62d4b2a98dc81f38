import { parseYaml } from './parse-yaml.ts'
import { unreadableText } from './unreadable-text.ts'

/** The one of these that has a key at the top of a YAML text; the first where none has, or nothing can be read. */
export function chooseByKeys<Choice extends { readonly keys: readonly string[] }>(
  text: string,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  // Reading a file takes its time, and one choice is none.
  if (choices.length === 1) return choices[0]
  const written = keysOf(text)
  return choices.find(({ keys }) => keys.some((key) => written.has(key))) ?? choices[0]
}

function keysOf(text: string): ReadonlySet<string> {
  if (unreadableText(text) !== undefined) return new Set()
  const { value } = parseYaml(text.replace(/^\ufeff/, ''))
  return new Set(typeof value === 'object' && value !== null ? Object.keys(value) : [])
}
