import { generateHybridIdentity, identityToRecipient } from 'age-encryption'
import { describe, expect, it } from 'vitest'
import { Redactor } from '../../src/lib/redactor.ts'
import { sopsHeader } from '../../src/store/sops/decrypt-sops.ts'
import type { StateStore } from '../../src/store/state-store.ts'
import { type AgeIdentity, parseIdentities } from '../../src/store/trust/identity.ts'
import { deriveSigningKey } from '../../src/store/trust/signing-key.ts'
import {
  branch,
  git,
  machineConfig,
  makeIdentity,
  makeInventory,
  makeRemote,
  makeStore,
  secretsBundle,
} from './state-fixture.ts'

const sealedPaths = ['demo/nodes/demo-worker-1.sops.yaml', 'demo/secrets.sops.yaml']

const signersOf = (...identities: readonly AgeIdentity[]) =>
  identities.map((identity) => deriveSigningKey(identity).signer)

/** A state that one identity wrote, with another kept offline. */
async function written() {
  const [former, next, offline] = [await makeIdentity(), await makeIdentity(), await makeIdentity()]
  const remote = await makeRemote()
  const store = await makeStore({
    remote,
    recipients: [former.recipient, offline.recipient],
    signers: signersOf(former),
    identities: [former],
  })
  const nodeConfigs = { 'demo-worker-1': machineConfig }
  await store.update(
    () => ({ inventory: makeInventory(), secrets: secretsBundle, nodeConfigs }),
    'Begin',
  )
  const merged = {
    remote,
    recipients: [next.recipient, offline.recipient],
    signers: signersOf(former, next),
  }
  return { remote, store, former, next, offline, merged }
}

async function recipientsIn(remote: string, path: string): Promise<string[]> {
  return sopsHeader(await git(remote, 'show', `${branch}:${path}`), path).recipients.toSorted()
}

const handOver = (store: StateStore) =>
  store.update(() => ({ reseal: true, facts: [{ fact: 'keys-rotated' }] }), 'Rotate')

describe('a state that is handed over to a new identity', () => {
  it('is re-encrypted, every file of it, for whom the cluster file names and nobody else', async () => {
    const { remote, merged, former, next, offline } = await written()
    const before = await Promise.all(
      sealedPaths.map((path) => git(remote, 'show', `${branch}:${path}`)),
    )
    const store = await makeStore({ ...merged, identities: [former, next], dropsRecipients: true })
    const generation = await handOver(store)
    expect(generation.manifest).toMatchObject({ generation: 2, keyEpoch: 2 })
    for (const [index, path] of sealedPaths.entries()) {
      expect(await recipientsIn(remote, path)).toEqual([next.recipient, offline.recipient].sort())
      expect(await git(remote, 'show', `${branch}:${path}`)).not.toBe(before[index])
    }
    for (const identity of [next, offline]) {
      const reader = await makeStore({ ...merged, identities: [identity] })
      expect(await reader.readSecrets()).toContain('canary-bundle-secret')
      expect(await reader.readNodeConfig('demo-worker-1')).toContain('canary-machine-token')
    }
    const shutOut = await makeStore({ ...merged, identities: [former] })
    await expect(shutOut.readSecrets()).rejects.toMatchObject({ code: 'state-undecryptable' })
  })

  it('is believed before, in between and after, by a plan without identity and by both keys', async () => {
    const { remote, merged, former, next, store } = await written()
    const plan = await makeStore({ ...merged, identities: [] })
    expect((await plan.read())?.manifest.keyEpoch).toBe(1)
    // A run that does not know of the new identity yet goes on as before.
    const late = await makeStore({ ...merged, identities: [former] })
    await late.record({ fact: 'upgrade-started', node: 'demo-worker-1' })
    await handOver(await makeStore({ ...merged, identities: [former, next] }))
    expect((await plan.read())?.manifest.keyEpoch).toBe(2)
    expect((await plan.audit()).problems).toEqual([])
    // The former key, and the file of before, are believed no more.
    await expect(late.record({ fact: 'destroy-started' })).rejects.toMatchObject({
      code: 'state-epoch-unknown',
    })
    await expect(store.read()).rejects.toMatchObject({ code: 'state-signer-unknown' })
    expect(await git(remote, 'rev-list', '--count', branch)).toBe('3')
  })

  it('does not go back: what the former key signs after it is refused by whoever has seen it', async () => {
    const { remote, merged, former, next } = await written()
    const seen = await makeStore({ ...merged, identities: [former, next] })
    await handOver(seen)
    const head = await git(remote, 'rev-parse', branch)
    await git(remote, 'update-ref', `refs/heads/${branch}`, `${head}~1`)
    const thief = await makeStore({ ...merged, identities: [former] })
    await thief.record({ fact: 'destroy-started' })
    await thief.record({ fact: 'destroy-started' })
    await expect(seen.read()).rejects.toMatchObject({ code: 'state-rolled-back' })
  })

  it('is written by the newest identity, in whatever order a run holds them', async () => {
    const { remote, merged, former, next, offline } = await written()
    for (const identities of [
      [former, next],
      [next, former],
    ]) {
      const store = await makeStore({ ...merged, identities })
      await store.update(() => ({ nodeConfigs: { 'demo-worker-2': machineConfig } }), 'Write')
      await store.update(() => ({ nodeConfigs: { 'demo-worker-2': undefined } }), 'Write')
    }
    // Writing at all has handed it over: the former recipient is not taken along.
    expect(await recipientsIn(remote, 'demo/secrets.sops.yaml')).toEqual(
      [next.recipient, offline.recipient].sort(),
    )
  })

  it('goes from a classic key to a post-quantum one', async () => {
    const { remote, former } = await written()
    const [next] = await parseIdentities(await generateHybridIdentity(), new Redactor())
    const offline = await identityToRecipient(await generateHybridIdentity())
    const merged = {
      remote,
      recipients: [next.recipient, offline],
      signers: signersOf(former, next),
    }
    await handOver(
      await makeStore({ ...merged, identities: [former, next], dropsRecipients: true }),
    )
    const reader = await makeStore({ ...merged, identities: [next] })
    expect(await reader.readSecrets()).toContain('canary-bundle-secret')
  })

  it('shuts out whom the cluster file names no more', async () => {
    const { remote, merged, former, next, offline } = await written()
    const alone = { ...merged, recipients: [next.recipient] }
    const everyday = await makeStore({ ...alone, identities: [former, next] })
    const present = await everyday.read()
    expect(present && everyday.isSealedForToday(present)).toBe(false)
    await handOver(await makeStore({ ...alone, identities: [former, next], dropsRecipients: true }))
    expect(await recipientsIn(remote, 'demo/secrets.sops.yaml')).toEqual([next.recipient])
    const gone = await makeStore({ ...alone, identities: [offline] })
    await expect(gone.readSecrets()).rejects.toMatchObject({ code: 'state-undecryptable' })
    expect(await everyday.readSecrets()).toContain('canary-bundle-secret')
  })
})
