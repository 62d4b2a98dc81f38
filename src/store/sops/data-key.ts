import { armor, Decrypter, Encrypter } from 'age-encryption'
import type { AgeIdentity } from '../trust/identity.ts'

/** The data key for one recipient: an armored age file. */
export interface WrappedKey {
  readonly recipient: string
  readonly enc: string
}

/** Encrypts the data key to each recipient by itself, as SOPS does. */
export function wrapDataKey(key: Uint8Array, recipients: readonly string[]): Promise<WrappedKey[]> {
  return Promise.all(
    recipients.map(async (recipient) => {
      const encrypter = new Encrypter()
      encrypter.addRecipient(recipient)
      return { recipient, enc: `${armor.encode(await encrypter.encrypt(key)).trim()}\n` }
    }),
  )
}

/** The data key, by whichever identity opens it; undefined when none does. */
export async function unwrapDataKey(
  wrapped: readonly WrappedKey[],
  identities: readonly AgeIdentity[],
): Promise<Uint8Array | undefined> {
  const ours = new Set(identities.map(({ recipient }) => recipient))
  // Those under our own names first; the rest too, since a name is only what somebody wrote.
  const ordered = [...wrapped].sort(
    (a, b) => Number(ours.has(b.recipient)) - Number(ours.has(a.recipient)),
  )
  for (const { enc } of ordered) {
    const decrypter = new Decrypter()
    for (const { secret } of identities) decrypter.addIdentity(secret)
    try {
      const key = await decrypter.decrypt(armor.decode(enc))
      if (key.length === 32) return key
    } catch {
      // Not for us, or broken: the next one may be neither.
    }
  }
  return undefined
}
