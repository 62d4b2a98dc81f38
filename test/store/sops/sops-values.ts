import fc from 'fast-check'
import type { Json, JsonObject } from '../../../src/lib/json.ts'

/** Texts that YAML's readers stumble over, among ordinary ones. */
const hardTexts = [
  '',
  ' ',
  'yes',
  'No',
  'null',
  '~',
  '1e3',
  '0o17',
  '0x1f',
  '1_000',
  '.inf',
  '12:30:45',
  '2026-11-27',
  '- a',
  'a: b',
  'a #b',
  '#c',
  '<<',
  '*a',
  '&a',
  '!t',
  '%d',
  '@x',
  '`x`',
  '"q"',
  "'q'",
  '{a}',
  '[a]',
  'tab\there',
  ' lead',
  'trail ',
  '---',
  '...',
  'ENC[AES256_GCM,data:x]',
  'line\nnext',
  'line\n\n  indented\n',
  '\nfirst empty',
  'ends\n\n\n',
  'cr\r\nlf',
  '\u0000\u0007\u001b',
  '\u007f\u0085\u2028\ufeff',
  '\ufeffbom',
  'naïve ☃ 😀 \u{10ffff}',
]

const text = fc.oneof(
  fc.constantFrom(...hardTexts),
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.array(fc.constantFrom(...hardTexts), { maxLength: 3 }).map((lines) => lines.join('\n')),
)

const number = fc.oneof(
  fc.maxSafeInteger().map((value) => value + 0 || 0),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Number.isInteger(value)),
)

const key = fc.oneof(
  fc.constantFrom(
    'token',
    'secret',
    'a',
    'b',
    'c',
    '7',
    'true',
    'null',
    '2026-11-27',
    'x:y',
    'a b',
  ),
  fc.string({ maxLength: 8 }),
)

const { value } = fc.letrec<{ value: Json; leaf: Json }>((tie) => ({
  leaf: fc.oneof({ weight: 3, arbitrary: text }, number, fc.boolean(), fc.constant(null)),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 3, arbitrary: tie('leaf') },
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))

/** Documents of every shape that can be kept. */
export const sopsDocument: fc.Arbitrary<JsonObject> = fc
  .dictionary(key, value, { maxKeys: 5, noNullPrototype: true })
  .filter((document) =>
    Object.keys(document).every((name) => name !== 'sops' && !/^\d+$/.test(name)),
  )
