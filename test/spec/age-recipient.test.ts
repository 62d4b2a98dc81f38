import { generateHybridIdentity, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { describe, expect, it } from 'vitest'
import { recipientKind } from '../../src/spec/age-recipient.ts'
import { findingsOf, sampleWith } from './sample-file.ts'

const ordinary = await identityToRecipient(await generateX25519Identity())
const hybrid = await identityToRecipient(await generateHybridIdentity())

describe('An age recipient', () => {
  it('that age makes is known by its kind', () => {
    expect(recipientKind(ordinary)).toBe('x25519')
    expect(recipientKind(hybrid)).toBe('post-quantum')
  })

  it('with any one character exchanged is none', () => {
    for (let index = 4; index < ordinary.length; index++) {
      const other = ordinary[index] === 'q' ? 'p' : 'q'
      expect(
        recipientKind(ordinary.slice(0, index) + other + ordinary.slice(index + 1)),
      ).toBeUndefined()
    }
    expect(
      recipientKind(`${hybrid.slice(0, -1)}${hybrid.endsWith('q') ? 'p' : 'q'}`),
    ).toBeUndefined()
  })

  it.each(['', 'age1', `${ordinary}q`, ordinary.slice(0, -1), ordinary.toUpperCase(), 'age1pq1'])(
    'such as "%s" is none',
    (text) => {
      expect(recipientKind(text)).toBeUndefined()
    },
  )

  it('of one kind does not stand beside one of the other', () => {
    const text = sampleWith(
      'age17fvfhl8maclzvwq8v9e8hwnpl3705980vasjc9m5hnguv8exdpkqule9w7',
      hybrid,
    )
    expect(findingsOf(text)).toEqual([
      '17:5 error: state.recipients mixes post-quantum recipients (age1pq1…) with others: whoever breaks one of the others reads everything -> Use one kind for all of them.',
    ])
  })
})
