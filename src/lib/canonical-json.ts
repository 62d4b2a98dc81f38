import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import canonicalize from 'canonicalize'
import type { Json } from './json.ts'

/** The one text of a value (RFC 8785): equal values give equal bytes, whatever their key order. */
export function canonicalJson(value: Json): string {
  return canonicalize(value) ?? 'null'
}

/** Lower-case hex SHA-256 of the canonical JSON: 64 characters. */
export function jsonDigest(value: Json): string {
  return textDigest(canonicalJson(value))
}

/** Lower-case hex SHA-256 of a text's UTF-8 bytes: 64 characters. */
export function textDigest(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)))
}

/** Deep equality of JSON values, blind to key order. */
export function jsonEquals(a: Json, b: Json): boolean {
  return canonicalJson(a) === canonicalJson(b)
}
