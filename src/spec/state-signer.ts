import { sha256 } from '@noble/hashes/sha2.js'

/** Bytes of an Ed25519 public key. */
const keyBytes = 32
/** Three bytes are four letters of base64, so that the key behind them stands by itself. */
const checksumBytes = 3

const form = /^hts1([A-Za-z0-9+/]{4})([A-Za-z0-9+/]{43})$/

/**
 * An Ed25519 public key as it stands in `state.signer`: `hts1`, four letters that check the rest, and the
 * 43 letters of the key in base64. The checksum is the beginning of the key's SHA-256.
 */
export function formatSigner(key: Uint8Array): string {
  if (key.length !== keyBytes) throw new Error('an Ed25519 public key has 32 bytes')
  return `hts1${base64(checksum(key))}${base64(key).replace(/=$/, '')}`
}

/** The key in such a text; undefined where a letter of it is wrong. */
export function parseSigner(text: string): Uint8Array | undefined {
  const [, check, letters] = form.exec(text) ?? []
  if (check === undefined || letters === undefined) return undefined
  const key = Uint8Array.from(atob(`${letters}=`), (letter) => letter.charCodeAt(0))
  return formatSigner(key) === text ? key : undefined
}

function checksum(key: Uint8Array): Uint8Array {
  return sha256(key).subarray(0, checksumBytes)
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}
