import { expect, it } from 'vitest'
import { Redactor } from '../../src/lib/redactor.ts'
import { namedSecretsPath } from '../../src/store/files/layout.ts'
import { git, makeIdentity, makeInventory, makeRemote, makeStore } from './state-fixture.ts'

const namedSecrets = { 'a-key': 'canary: "1"\nof two lines\n', token: 'canary-token' }
const repository = 'shop/infra'

it('named secrets are kept, sealed like the others, in every generation and bundle', async () => {
  const [own, other] = [await makeIdentity(), await makeIdentity()]
  const remote = await makeRemote()
  const options = { repository, recipients: [own.recipient], identities: [own] }
  const store = await makeStore({ remote, ...options })
  expect(await store.readNamedSecrets()).toEqual(new Map())
  const first = await store.update(() => ({ inventory: makeInventory(), namedSecrets }), 'Begin')
  expect(first.manifest.files).toContainEqual(
    expect.objectContaining({ path: namedSecretsPath, kind: 'named-secrets' }),
  )
  const redactor = new Redactor()
  const reader = await makeStore({ remote, ...options, redactor })
  expect(Object.fromEntries(await reader.readNamedSecrets())).toEqual(namedSecrets)
  // Opened is hidden, in whatever form it is said.
  for (const secret of [namedSecrets.token, JSON.stringify(namedSecrets['a-key'])]) {
    expect(redactor.redact(secret)).not.toContain('canary')
  }
  // The same again writes nothing.
  const again = await store.update(() => ({ namedSecrets }), 'Again')
  expect(again.manifest.generation).toBe(first.manifest.generation)

  // A recipient more, and all is for both.
  const wider = await makeStore({
    remote,
    ...options,
    recipients: [own.recipient, other.recipient],
  })
  const resealed = await wider.update(() => ({ reseal: true }), 'Reseal')
  expect(await wider.openedBy(resealed, [other])).toEqual([namedSecretsPath])
  const imported = await wider.openBundle(await wider.bundle(resealed))
  expect([...imported.files.keys()]).toContain(namedSecretsPath)
  expect((await wider.audit()).problems).toEqual([])

  // The last one gone, the file is.
  const last = await wider.update(() => ({ namedSecrets: {} }), 'Remove')
  expect([...last.files.keys()]).not.toContain(namedSecretsPath)
  expect(await git(remote, 'log', '-p', '--all')).not.toContain('canary')
})

it('a run without an identity knows that it can read none', async () => {
  const own = await makeIdentity()
  const remote = await makeRemote()
  const options = { repository, recipients: [own.recipient] }
  const writer = await makeStore({ remote, ...options, identities: [own] })
  await writer.update(() => ({ inventory: makeInventory(), namedSecrets }), 'Begin')
  const reader = await makeStore({ remote, ...options, identities: [] })
  expect([writer.hasIdentity, reader.hasIdentity]).toEqual([true, false])
  await expect(reader.readNamedSecrets()).rejects.toMatchObject({ code: 'identity-missing' })
})
