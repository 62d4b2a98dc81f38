import type { Json } from '../../../lib/json.ts'
import { nearestName } from '../../../spec/nearest-name.ts'
import type { Fault } from './config-problem.ts'
import { describeShape } from './describe-shape.ts'
import { parseDuration } from './forms/duration.ts'
import { textForms } from './forms/text-forms.ts'
import { namesOf } from './known-fields.ts'
import { asText, isList, no, yes } from './read-config.ts'

type ValueFault = Pick<Fault, 'message' | 'hint' | 'isNoText'>

/** Why Go does not read a value into a scalar, an enumeration or a text of a form; undefined where it does. */
export function checkScalar(kind: string, value: Json, minor: number): ValueFault | undefined {
  const names = namesOf(kind, minor)
  if (names !== undefined) return checkName(names, value)
  const range = wholeNumbers[kind]
  if (range !== undefined) return checkNumber(range, value, minor)
  const form = textForms[kind]
  if (form !== undefined) {
    const text = asText(value)
    return text !== undefined && form.isGood(text, minor) ? undefined : mustBe(form.what, value)
  }
  const scalar = scalars[kind]
  if (scalar === undefined) throw new Error(`no check for values of the kind ${kind}`)
  if (scalar.isGood(value, minor)) return undefined
  return { ...mustBe(scalar.what, value), ...(kind === 'bool' && { isNoText: true }) }
}

const argument = {
  isGood: (value: Json) => asText(value) !== undefined || isListOfTexts(value),
  what: 'a text or a list of texts',
}

const scalars: Readonly<
  Record<string, { isGood: (value: Json, minor: number) => boolean; what: string }>
> = {
  // Go reads whatever is no list and no mapping as a text.
  string: { isGood: (value) => asText(value) !== undefined, what: 'a text' },
  bool: { isGood: isBoolean, what: 'true or false' },
  '(time.Duration)': { isGood: isDuration, what: 'a duration, such as 90s or 1h30m' },
  '(network.PortRange)': {
    isGood: isPortRange,
    what: 'a port or a range of ports, such as 8000-8010',
  },
  '(v1alpha1.ArgValue)': argument,
  '(meta.ArgValue)': argument,
}

function checkName(
  { names, isExact }: { names: readonly string[]; isExact: boolean },
  value: Json,
): ValueFault | undefined {
  const text = asText(value)
  if (text !== undefined && names.includes(isExact ? text : text.toLowerCase())) return undefined
  // Tables of routes have numbers, and few of them names.
  const words = names.filter((name) => !/^\d+$/.test(name))
  const more = words.length < names.length ? ' or a number' : ''
  const near = text === undefined ? undefined : nearestName(text, words)
  return {
    ...mustBe(`one of ${words.join(', ')}${more}`, value),
    ...(near !== undefined && { hint: `Did you mean ${near}?` }),
  }
}

const wholeNumbers: Readonly<Record<string, readonly [least: number, most: number]>> = {
  int: [-(2 ** 63), 2 ** 63],
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint: [0, 2 ** 64],
  uint8: [0, 2 ** 8 - 1],
  uint16: [0, 2 ** 16 - 1],
  uint32: [0, 2 ** 32 - 1],
  uint64: [0, 2 ** 64],
}

function checkNumber(
  [least, most]: readonly [least: number, most: number],
  value: Json,
  minor: number,
): ValueFault | undefined {
  if (typeof value === 'number') {
    if (!isWhole(value, minor)) return { message: 'must be a whole number' }
    return value >= least && value <= most
      ? undefined
      : { message: `must be between ${least} and ${most}` }
  }
  const isQuoted = typeof value === 'string' && /^\d+$/.test(value)
  return {
    ...mustBe('a whole number', value),
    isNoText: true,
    ...(isQuoted && { hint: 'Write it without quotes.' }),
  }
}

function mustBe(what: string, value: Json): ValueFault {
  const is = typeof value === 'object' ? `, but is ${describeShape(value)}` : ''
  return { message: `must be ${what}${is}` }
}

function isBoolean(value: Json): boolean {
  return (
    typeof value === 'boolean' || (typeof value === 'string' && [...yes, ...no].includes(value))
  )
}

/** 1.13 takes the number 0 for none. */
function isDuration(value: Json, minor: number): boolean {
  if (value === 0) return minor >= 13
  return typeof value === 'string' && parseDuration(value) !== undefined
}

function isListOfTexts(value: Json): boolean {
  return isList(value) && value.every((each) => each === null || asText(each) !== undefined)
}

/** Up to 1.12 a fraction is cut off in silence; a number that is written as 1e3 is whole. */
function isWhole(value: number, minor: number): boolean {
  return Number.isInteger(value) || minor < 13
}

function isPortRange(value: Json, minor: number): boolean {
  if (typeof value === 'number') return value >= 0 && value <= 65_535 && isWhole(value, minor)
  if (typeof value !== 'string') return false
  const [, low, high] = /^(\d+)-(\d+)$/.exec(value) ?? []
  return low !== undefined && Number(low) <= 65_535 && Number(high) <= 65_535
}
