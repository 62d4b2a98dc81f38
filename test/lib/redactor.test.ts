import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Redactor, redacted } from '../../src/lib/redactor.ts'

const secrets = fc.string({
  minLength: 8,
  maxLength: 40,
  unit: fc.constantFrom(...'abcXYZ0189+/='),
})

describe('a redactor', () => {
  test('no registered secret, nor its base64 form, survives in any text', () => {
    fc.assert(
      fc.property(fc.array(secrets, { minLength: 1 }), fc.string(), (values, filler) => {
        const redactor = new Redactor()
        for (const value of values) redactor.add(value)
        const text = values.map((value) => `${filler}${value}${btoa(value)}`).join(filler)
        const clean = redactor.redact(text)
        for (const value of values) {
          expect(clean.replaceAll(redacted, '')).not.toContain(value)
          expect(clean.replaceAll(redacted, '')).not.toContain(btoa(value))
        }
      }),
    )
  })

  test('a secret that contains another is hidden whole', () => {
    const redactor = new Redactor()
    redactor.add('inner-secret')
    redactor.add('outer-inner-secret-outer')
    expect(redactor.redact('see outer-inner-secret-outer.')).toBe(`see ${redacted}.`)
  })

  test('each line of a PEM that could stand alone is hidden too', () => {
    const redactor = new Redactor()
    const line = 'MC4CAQAwBQYDK2VwBCIEIAxyzAxyzAxyzAxyzAxyzAxyzAxyz'
    redactor.add(
      `-----BEGIN ED25519 PRIVATE KEY-----\n${line}\n-----END ED25519 PRIVATE KEY-----\n`,
    )
    expect(redactor.redact(`key ${line}`)).toBe(`key ${redacted}`)
  })

  test('bytes that are no text have none either, also of letters outside ASCII', () => {
    const redactor = new Redactor()
    redactor.add('pässwörd-1234')
    const around = Buffer.from([0, 255, 0xc3])
    const bytes = Buffer.concat([around, Buffer.from('pässwörd-1234'), around])
    expect(redactor.redactBytes(bytes)).toEqual(
      Buffer.concat([around, Buffer.from(redacted), around]),
    )
  })

  test('words are not secrets: short values are left alone', () => {
    const redactor = new Redactor()
    redactor.add('true')
    expect(redactor.redact('enabled: true')).toBe('enabled: true')
  })

  test('a listener hears every secret, those that were there before it too', () => {
    const redactor = new Redactor()
    redactor.add('before-1234')
    const heard: string[] = []
    redactor.onSecret((secret) => heard.push(secret))
    redactor.add('after-12345')
    expect(heard).toEqual(expect.arrayContaining(['before-1234', 'after-12345']))
  })
})
