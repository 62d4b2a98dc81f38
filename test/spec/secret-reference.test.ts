import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeError } from '../../src/lib/describe-error.ts'
import { Redactor } from '../../src/lib/redactor.ts'
import { loadSpec } from '../../src/spec/load-spec.ts'
import {
  fillReferences,
  formsOfNamed,
  referencesIn,
  referenceTo,
  referTo,
  secretVariable,
  withoutReferences,
} from '../../src/spec/secret-reference.ts'
import { referredSecrets } from '../../src/spec/secret-references.ts'
import { findingsOf, sampleFile } from './sample-file.ts'

const value = 'va"lue:\n- ünd'
const fill = (text: string) => fillReferences(text, () => value)

it.each([
  [`\${secret:a}`, value],
  [`https://me:\${secret:a-1}@x \${secret:b}`, `https://me:${value}@x ${value}`],
  [`\${secret:a:json}`, JSON.stringify(value)],
  [`\${secret:a:base64}`, Buffer.from(value).toString('base64')],
  [`$\${secret:a}`, `\${secret:a}`],
  [`$$\${secret:a}`, `$\${secret:a}`],
  [`\${SECRET} \${env:a} $(a) {{secret}}`, `\${SECRET} \${env:a} $(a) {{secret}}`],
])('%s is filled', (text, expected) => {
  expect(fill(text)).toBe(expected)
})

const names = fc.stringMatching(/^[a-z]([a-z0-9-]{0,20}[a-z0-9])?$/)

describe('Laws of references', () => {
  it('a reference is filled with the value, whatever is in it and around it', () => {
    const plain = fc.string().filter((text) => !text.includes('$'))
    fc.assert(
      fc.property(names, fc.string(), plain, plain, (name, secret, before, after) => {
        const text = `${before}${referenceTo(name)}${after}`
        expect(referencesIn(text)).toEqual([{ name, form: 'plain' }])
        expect(withoutReferences(text)).toBe(before + after)
        expect(fillReferences(text, () => secret)).toBe(before + secret + after)
        expect(fillReferences(`$${text.slice(before.length)}`, () => secret)).toBe(
          referenceTo(name) + after,
        )
      }),
    )
  })

  it('a text with references in the place of values is filled to the same text', () => {
    const values = fc.dictionary(names, fc.stringMatching(/^[a-z"$\\{}\n:-]{8,12}$/), {
      maxKeys: 3,
    })
    const piece = fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom('"', '$', `\${secret:a}`))
    fc.assert(
      fc.property(values, fc.array(piece, { maxLength: 4 }), (all, between) => {
        const named = new Map(Object.entries(all))
        const forms = [...named.values()].flatMap((each) => [each, JSON.stringify(each)])
        const text = between.join(forms.join('')) + forms.join('')
        const referred = referTo(text, named)
        expect(fillReferences(referred, (name) => named.get(name) ?? 'nothing')).toBe(text)
        for (const value of text.includes('$') ? [] : named.values()) {
          expect(referred).not.toContain(value)
        }
      }),
    )
  })

  it('a value becomes text and never structure, and keys stay', () => {
    fc.assert(
      fc.property(names, fc.string(), (name, secret) => {
        const reference = referenceTo(name)
        expect(fillReferences({ [reference]: [reference, 1, null] }, () => secret)).toEqual({
          [reference]: [secret, 1, null],
        })
      }),
    )
  })

  it('no two names share a variable of the environment', () => {
    fc.assert(
      fc.property(names, names, (one, other) => {
        expect(secretVariable(one) === secretVariable(other)).toBe(one === other)
      }),
    )
  })
})

/** What is told of a secret by somebody who writes it in his own way. */
function hidden(secret: string, text: string): string {
  const redactor = new Redactor()
  for (const form of formsOfNamed(secret)) redactor.add(form)
  return redactor.redact(text)
}

describe('Of a secret nothing is told', () => {
  const lines =
    '-----BEGIN X-----\n  "a&<b": 1\n  a short line\n\ttabbed\u0007line\n-----END X-----'

  it('as Go writes it in JSON', () => {
    const text = String.raw`{"key":"a\u0026\u003cb\u003e\u2028 c"}`
    expect(hidden('a&<b>\u2028 c', text)).toBe('{"key":"***"}')
  })

  it('where its lines are told one by one, or as one', () => {
    for (const line of ['a short line', '"a&<b": 1', String.raw`\"a\u0026\u003cb\": 1`]) {
      expect(hidden(lines, `log: ${line}`)).toBe('log: ***')
    }
    const { headline } = describeError(new Error(`refused: ${lines}`))
    expect(hidden(lines, headline)).toBe('a bug in hcloud-talos: refused: ***')
    expect(hidden(lines, '-----BEGIN X-----')).toBe('-----BEGIN X-----')
  })

  it('in any line of eight characters and more, however it is indented', () => {
    const line = fc.stringMatching(/^[a-zA-Z0-9"{}&<>=+\\]{8,20}$/)
    fc.assert(
      fc.property(fc.array(line, { minLength: 2, maxLength: 5 }), (all) => {
        for (const each of all) expect(hidden(all.join('\r\n'), `  ${each}`)).not.toContain(each)
      }),
    )
  })
})

const patched = (patch: string) =>
  sampleFile.replace('version: v1.9.0', `version: v1.9.0\n  patches:\n    - ${patch}`)

const domain = 'machine: {sysctls: {kernel.domainname: '

describe('In a cluster file', () => {
  it.each([
    ['a misspelled name', patched(`${domain}"\${secret:My_Key}"}}`), 14, 'refers to no secret'],
    ['an unknown form', patched(`${domain}"\${secret:key:hex}"}}`), 14, 'refers to no secret'],
    ['a key', patched(`machine: {sysctls: {"\${secret:key}": x}}`), 14, 'a key cannot be a secret'],
    [
      'a key in a text',
      patched(`'machine: {sysctls: {"\${secret:key}": x}}'`),
      14,
      'a key cannot be a secret',
    ],
    [
      'the path of an operation',
      patched(`[{op: add, path: "/machine/sysctls/\${secret:key}", value: x}]`),
      14,
      'a key cannot be a secret',
    ],
    [
      'the path of an operation in a text',
      patched(`'[{"op": "move", "path": "/a", "from": "/machine/\${secret:key}"}]'`),
      14,
      'a key cannot be a secret',
    ],
    ['a text, misspelled,', patched(`'${domain}"\${secret:My_Key}"}}'`), 14, 'refers to no secret'],
    [
      'another field',
      sampleFile.replace('type: cx33', `type: cx33\n    labels: {a: "\${secret:key}"}`),
      11,
      'is not filled',
    ],
  ])('a reference in %s is an error in its place', (_, text, line, message) => {
    const found = findingsOf(text).filter((each) => each.includes(message))
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(new RegExp(`^${line}:\\d+ error`))
  })

  it('references are found in patches and values, and not in comments', () => {
    const text = `${patched(`|\n      # \${secret:nobody} \${secret:My_Key}\n      machine: {sysctls: {kernel.domainname: "\${secret:one}"}}`)}cni:
  values: {hubble: {x: "a \${secret:two}"}}
addons: {hcloudCsi: {values: {y: ["\${secret:one:json}"]}}}
`
    const { spec, findings } = loadSpec(text)
    expect(findings).toEqual([])
    expect(spec && referredSecrets(spec)).toEqual([
      { name: 'one', path: ['talos', 'patches', 0] },
      { name: 'two', path: ['cni', 'values'] },
      { name: 'one', path: ['addons', 'hcloudCsi', 'values'] },
    ])
  })
})
