/**
 * A path of a tree as text: git's paths are bytes, and mostly UTF-8. Where one is not, each byte that is not ASCII is a
 * half of a character, which UTF-8 never decodes to: no two paths become one, and none becomes a name of ours.
 */
export function pathText(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  if (Buffer.from(text).equals(bytes)) return text
  return Array.from(bytes, (byte) => String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte)).join(
    '',
  )
}
