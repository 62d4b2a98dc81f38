import { generateHybridIdentity } from 'age-encryption'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import type { JsonObject } from '../../../src/lib/json.ts'
import { seededRandom } from '../../../src/lib/random.ts'
import { Redactor } from '../../../src/lib/redactor.ts'
import { machineConfigSecrets } from '../../../src/plan/config-secrets.ts'
import { decryptSops, sopsHeader } from '../../../src/store/sops/decrypt-sops.ts'
import { encryptSops } from '../../../src/store/sops/encrypt-sops.ts'
import { leafText } from '../../../src/store/sops/leaf.ts'
import { everything } from '../../../src/store/sops/secret-keys.ts'
import { yamlDocuments } from '../../../src/store/sops/yaml-documents.ts'
import { yamlText } from '../../../src/store/sops/yaml-text.ts'
import { type AgeIdentity, parseIdentities } from '../../../src/store/trust/identity.ts'
import { makeIdentity } from '../state-fixture.ts'
import { sopsDocument } from './sops-values.ts'

const identity = await makeIdentity()
const now = Date.UTC(2026, 10, 27, 12)

const seal = (documents: readonly JsonObject[], encryptedRegex = everything, to = [identity]) =>
  encryptSops(documents, {
    recipients: to.map(({ recipient }) => recipient),
    encryptedRegex,
    random: seededRandom(7),
    now,
  })

const open = (text: string, identities: readonly AgeIdentity[] = [identity]) =>
  decryptSops(text, { identities, target: 'demo/secrets.sops.yaml' })

const sample = {
  cluster: { id: 'abc', secret: 'one' },
  list: [{ token: 'two' }, { token: 'three' }],
}

describe('YAML of ours', () => {
  it('is read back as what was written, by any reader of version 1.2', () => {
    fc.assert(
      fc.property(fc.array(sopsDocument, { minLength: 1, maxLength: 3 }), (documents) => {
        expect(yamlDocuments(yamlText(documents))).toEqual(documents)
      }),
    )
  })

  it('keeps numbers without exponents in the text of a leaf', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Number(leafText(value))).toBe(value === 0 ? 0 : value)
        expect(leafText(value)).toMatch(/^-?\d+(\.\d+)?$/)
      }),
    )
  })
})

describe('a SOPS document', () => {
  it('opens to what was sealed, whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(sopsDocument, { minLength: 1, maxLength: 2 }),
        fc.constantFrom(everything, machineConfigSecrets, '^token$'),
        async (documents, regex) => {
          expect(await open(await seal(documents, regex))).toEqual(documents)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('shows everything but its secret leaves', async () => {
    const text = await seal([sample], machineConfigSecrets)
    const [shown] = parseAllDocuments(text).map((document): unknown => document.toJS())
    expect(shown).toMatchObject({ cluster: { id: 'abc' } })
    for (const secret of ['one', 'two', 'three'])
      expect(text).not.toMatch(new RegExp(`\\b${secret}\\b`))
  })

  it('opens for each of its recipients and tells all others who they are', async () => {
    const [second, stranger] = [await makeIdentity(), await makeIdentity()]
    const text = await seal([sample], everything, [identity, second])
    expect(sopsHeader(text, 'x').recipients).toEqual([identity.recipient, second.recipient])
    expect(await open(text, [second])).toEqual([sample])
    expect(await open(text, [stranger, identity])).toEqual([sample])
    await expect(open(text, [stranger])).rejects.toMatchObject({
      code: 'state-undecryptable',
      message: expect.stringContaining(second.recipient),
    })
  })

  it('opens with a post-quantum identity', async () => {
    const [hybrid] = await parseIdentities(await generateHybridIdentity(), new Redactor())
    const text = await seal([sample], everything, [hybrid])
    expect(await open(text, [hybrid])).toEqual([sample])
    await expect(open(text)).rejects.toMatchObject({ code: 'state-undecryptable' })
  })

  it('tells each secret to whoever keeps texts clean of them', async () => {
    const reported: unknown[] = []
    await decryptSops(await seal([sample], '^secret$|^token$'), {
      identities: [identity],
      target: 'x',
      onSecret: (path, value) => reported.push([path.join('.'), value]),
    })
    expect(reported).toEqual([
      ['cluster.secret', 'one'],
      ['list.token', 'two'],
      ['list.token', 'three'],
    ])
  })

  const encryptedValues = /ENC\[AES256_GCM,data:[^\]]*type:str\]/g

  it.each<[string, (text: string) => string]>([
    ['a readable value was changed', (text) => text.replace('id: abc', 'id: abd')],
    ['a secret was replaced by a plain text', (text) => text.replace(encryptedValues, 'plain')],
    ['a secret was emptied', (text) => text.replace(/secret: ENC.*/, 'secret: ""')],
    ['a secret was taken away', (text) => text.replace(/ {2}secret: ENC.*\n/, '')],
    [
      'two secrets of one list were exchanged',
      (text) => {
        const tokens = text.match(/token: ENC.*/g) ?? []
        return text
          .replace(tokens[0] ?? '', '%')
          .replace(tokens[1] ?? '', tokens[0] ?? '')
          .replace('%', tokens[1] ?? '')
      },
    ],
    [
      'a secret was moved elsewhere',
      (text) => {
        const token = text.match(/token: (ENC.*)/)?.[1] ?? ''
        return text.replace(/secret: ENC.*/, `secret: ${token}`)
      },
    ],
    [
      'its MAC was exchanged',
      (text) => {
        const token = text.match(/token: (ENC.*)/)?.[1] ?? ''
        return text.replace(/mac: ENC.*/, `mac: ${token}`)
      },
    ],
    ['its time was changed', (text) => text.replace(/2026-11-27T12/, '2026-11-27T13')],
    [
      'a rule was loosened',
      (text) => text.replace(/encrypted_regex: .*/, 'encrypted_regex: ^none$'),
    ],
    ['it has no metadata', (text) => text.replace(/^sops:[\s\S]*/m, '')],
    ['it is not YAML', () => 'a: [b\n'],
    ['it is a list', () => '- a\n'],
    ['it is empty', () => ''],
  ])('is damaged when %s', async (_, damage) => {
    const text = await seal([sample], '^secret$|^token$')
    const damaged = damage(text)
    expect(damaged).not.toBe(text)
    await expect(open(damaged)).rejects.toMatchObject({ code: 'state-corrupt' })
  })

  it('refuses at once what it could not give back', async () => {
    const refused: JsonObject[] = [
      { a: 2 ** 60 },
      { a: Number.NaN },
      { a: '\ud800' },
      { 7: 'top' },
      { sops: { mac: 'x' } },
    ]
    for (const document of refused) await expect(seal([document])).rejects.toThrow(Error)
  })
})
