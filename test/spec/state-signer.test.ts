import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadSpec } from '../../src/spec/load-spec.ts'
import { formatSigner, parseSigner } from '../../src/spec/state-signer.ts'
import { sampleFile } from './sample-file.ts'

const keys = fc.uint8Array({ minLength: 32, maxLength: 32 })

describe('the text of a signer', () => {
  it('gives its key back', () => {
    fc.assert(
      fc.property(keys, (key) => {
        expect(parseSigner(formatSigner(key))).toEqual(key)
      }),
    )
  })

  it('is none with any letter changed', () => {
    fc.assert(
      fc.property(keys, fc.nat(50), fc.constantFrom(...'AZaz09+/!'), (key, at, letter) => {
        const text = formatSigner(key)
        fc.pre(text[at] !== letter)
        expect(parseSigner(text.slice(0, at) + letter + text.slice(at + 1))).toBeUndefined()
      }),
    )
  })
})

describe('state.signer', () => {
  const [a, b] = [formatSigner(new Uint8Array(32)), formatSigner(new Uint8Array(32).fill(7))]
  const load = (signer: unknown) => loadSpec(`${sampleFile}  signer: ${JSON.stringify(signer)}\n`)

  it('is one or one for each epoch', () => {
    expect(load(a).spec?.state.signers).toEqual([a])
    expect(load([a, b]).spec?.state.signers).toEqual([a, b])
  })

  it.each([
    ['a typo', `${a.slice(0, -1)}B`, 'state.signer is'],
    ['a typo in a list', [b, `${a.slice(0, -1)}B`], 'state.signer[1] is'],
    ['the same key twice', [a, a], 'state.signer[1] appears twice'],
    ['an age recipient', 'age1x', 'state.signer is'],
  ])('is refused for %s', (_, signer, message) => {
    const { findings } = load(signer)
    const errors = findings.filter(({ severity }) => severity === 'error')
    expect(errors).toMatchObject([{ message: expect.stringContaining(message) }])
  })
})
