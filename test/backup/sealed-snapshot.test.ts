import { Decrypter, Encrypter, Stanza } from 'age-encryption'
import { expect, test } from 'vitest'
import { openSnapshot, sealSnapshot } from '../../src/backup/sealed-snapshot.ts'
import { formatMetadata, parseMetadata, signedBytes } from '../../src/backup/snapshot-metadata.ts'
import { ageKey, etcdSnapshot, inPieces, metadata, readAll } from './snapshot-fixture.ts'

const snapshot = etcdSnapshot(300)
const mine = await ageKey()
const offline = await ageKey()
const sign = (bytes: Uint8Array) => `signed ${bytes.length}`

function seal(bytes: Uint8Array = snapshot): Promise<Buffer> {
  const recipients = [mine.recipient, offline.recipient]
  return readAll(sealSnapshot(inPieces(bytes, 10_000), { recipients, metadata, sign }))
}

const open = (sealed: Uint8Array, identities = [mine.identity], length = 1_000) =>
  openSnapshot(inPieces(sealed, length), identities)

test('every recipient opens it, and finds of which cluster it is and who signed that', async () => {
  const sealed = await seal()
  for (const { identity } of [mine, offline]) {
    const { signed, plain } = await open(sealed, [identity])
    expect(signed.metadata).toEqual(metadata)
    expect(signed.signature).toBe(`signed ${signedBytes(signed).length}`)
    expect((await readAll(plain)).equals(snapshot)).toBe(true)
  }
})

test('it is an age file like any other, whose content is the snapshot of etcd', async () => {
  const decrypter = new Decrypter()
  decrypter.addIdentity(offline.identity)
  expect(Buffer.from(await decrypter.decrypt(await seal())).equals(snapshot)).toBe(true)
})

test('what somebody else cannot open, and what is not ours, is foreign', async () => {
  const stranger = await ageKey()
  const encrypter = new Encrypter()
  encrypter.addRecipient(mine.recipient)
  const plainAge = await encrypter.encrypt(snapshot)
  const foreign = { code: 'snapshot-foreign' }
  await expect(open(await seal(), [stranger.identity])).rejects.toMatchObject(foreign)
  await expect(open(plainAge)).rejects.toMatchObject(foreign)
  await expect(open(snapshot)).rejects.toMatchObject(foreign)
  await expect(open(Buffer.alloc(1 << 20, '\n'), [mine.identity], 1 << 16)).rejects.toMatchObject(
    foreign,
  )
  await expect(open(new Uint8Array())).rejects.toMatchObject(foreign)
})

test('a metadata that was put into the header of another file is refused', async () => {
  const { signed } = await open(await seal())
  const encrypter = new Encrypter()
  encrypter.addRecipient(mine.recipient)
  encrypter.addRecipient({
    wrapFileKey: () => [new Stanza(['hcloud-talos/etcd-snapshot', '1'], formatMetadata(signed))],
  })
  const forged = await encrypter.encrypt(snapshot)
  await expect(open(forged)).rejects.toMatchObject({
    code: 'snapshot-foreign',
    message: expect.stringContaining('another file'),
  })
})

test('a file that was cut off or changed is damaged, wherever that is', async () => {
  const sealed = await seal()
  const header = sealed.indexOf('\n--- ') + 60
  for (const at of [header + 40, 80_000, sealed.length - 1]) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    for (const bytes of [changed, sealed.subarray(0, at)]) {
      const read = async () => readAll((await open(bytes)).plain)
      await expect(read()).rejects.toMatchObject({ code: 'snapshot-damaged' })
    }
  }
  // Of the header every byte counts.
  const changed = Buffer.from(sealed)
  changed[sealed.indexOf('hcloud-talos/') + 30] = 'A'.charCodeAt(0)
  await expect(open(changed)).rejects.toMatchObject({ code: 'snapshot-foreign' })
})

test('what the file says of itself has the form that snapshots of every version have', () => {
  const written = formatMetadata({ metadata, fileKey: 'ab', signature: 'signer AAAA' })
  expect(new TextDecoder().decode(written)).toBe(
    '{"card":{"cluster":"demo","kubernetesVersion":"1.36.3","node":"demo-control-plane-1","takenAt":"2026-11-28T02:00:00.000Z","talosVersion":"v1.13.9","uid":"0123456789abcdef"},"fileKey":"ab","signature":"signer AAAA"}',
  )
  expect(parseMetadata(written)).toEqual({ metadata, fileKey: 'ab', signature: 'signer AAAA' })
})
