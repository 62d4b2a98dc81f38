import { gunzipSync } from 'node:zlib'

/**
 * The machine config in a server's user data: plain YAML, base64 of it, or base64 of it gzipped, as
 * Talos's hcloud platform takes them. Undefined where there is none, which means maintenance mode.
 */
export function decodeUserData(userData: string | undefined): string | undefined {
  const text = userData?.trim() ?? ''
  if (text === '') return undefined
  if (!/^[A-Za-z0-9+/=\s]+$/.test(text)) return text
  const bytes = Buffer.from(text, 'base64')
  const zipped = bytes[0] === 0x1f && bytes[1] === 0x8b
  try {
    return (zipped ? gunzipSync(bytes) : bytes).toString()
  } catch {
    return text
  }
}
