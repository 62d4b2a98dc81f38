/** What Go's YAML makes of an unquoted scalar where nothing is known of the field that it is for. */
export type GoScalar =
  | { readonly is: 'null' }
  | { readonly is: 'bool'; readonly value: boolean }
  /** Exact: a whole number may have up to 64 bits. */
  | { readonly is: 'int'; readonly value: bigint }
  | { readonly is: 'float'; readonly value: number }
  /** As Go writes a time again. */
  | { readonly is: 'time'; readonly value: string }
  | { readonly is: 'text'; readonly value: string }

/**
 * Resolves a plain scalar as go-yaml v3 and v4 do, in which Talos reads its configs: YAML 1.2 with the octal
 * numbers, the underscores and the times of 1.1, but without its words for true and false.
 */
export function resolveGoScalar(source: string): GoScalar {
  const word = words.get(source)
  if (word !== undefined) return word
  if (source.startsWith('.')) return floatOf(source) ?? { is: 'text', value: source }
  if (!/^[-+0-9]/.test(source)) return { is: 'text', value: source }
  const time = timeOf(source)
  if (time !== undefined) return { is: 'time', value: time }
  const plain = source.replaceAll('_', '')
  const whole = wholeOf(plain)
  if (whole !== undefined) return { is: 'int', value: whole }
  return floatOf(plain) ?? { is: 'text', value: source }
}

const words: ReadonlyMap<string, GoScalar> = new Map<string, GoScalar>([
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, { is: 'null' }] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, { is: 'bool', value: true }] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, { is: 'bool', value: false }] as const),
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, { is: 'float', value: Number.NaN }] as const),
  ...['inf', 'Inf', 'INF'].flatMap(
    (word) =>
      [
        [`.${word}`, { is: 'float', value: Number.POSITIVE_INFINITY }],
        [`+.${word}`, { is: 'float', value: Number.POSITIVE_INFINITY }],
        [`-.${word}`, { is: 'float', value: Number.NEGATIVE_INFINITY }],
      ] as const,
  ),
])

/** As Go's strconv reads a whole number of any base: `0x`, `0o`, `0b`, and a 0 in front for octal. */
function wholeOf(text: string): bigint | undefined {
  const [, sign = '', digits = ''] = /^([-+]?)(.*)$/s.exec(text) ?? []
  const spelled = /^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits
  if (!/^(0|[1-9][0-9]*|0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+)$/.test(spelled)) return undefined
  const size = BigInt(spelled.toLowerCase())
  const value = sign === '-' ? -size : size
  const most = sign === '' ? 2n ** 64n - 1n : 2n ** 63n - 1n
  return value >= -(2n ** 63n) && value <= most ? value : undefined
}

function floatOf(text: string): GoScalar | undefined {
  if (!/^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/.test(text)) return undefined
  const value = Number(text)
  return Number.isFinite(value) ? { is: 'float', value } : undefined
}

const timeForm =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:[Tt ])(\d{1,2}):(\d{1,2}):(\d{1,2})(\.\d+)?(Z|[-+]\d\d:\d\d)?)?$/

/** A day, or a time with its zone (or with a blank before it, and none), as RFC 3339 has it. */
function timeOf(text: string): string | undefined {
  const [, year = '', month = '', day = '', hour, minute = '0', second = '0', part = '', zone] =
    timeForm.exec(text) ?? []
  if (year === '') return undefined
  if (hour !== undefined && text.includes(' ') === (zone !== undefined)) return undefined
  const two = (digits: string) => digits.padStart(2, '0')
  const date = `${year}-${two(month)}-${two(day)}`
  const clock = `${two(hour ?? '0')}:${two(minute)}:${two(second)}`
  const known = new Date(`${date}T${clock}Z`)
  if (Number.isNaN(known.getTime()) || known.toISOString().slice(0, 19) !== `${date}T${clock}`)
    return undefined
  const fraction = part.slice(0, 10).replace(/\.?0+$/, '')
  return `${date}T${clock}${fraction}${zone === undefined || zone === '+00:00' ? 'Z' : zone}`
}
