const block = 512
const encoder = new TextEncoder()

/** A file of a tar archive (ustar), with its head and padding. `modified` is in seconds since 1970. */
export function tarEntry(path: string, content: Uint8Array, modified: number): Uint8Array {
  const entry = new Uint8Array(block + Math.ceil(content.length / block) * block)
  const put = (text: string, at: number) => entry.set(encoder.encode(text), at)
  const octal = (value: number, at: number, digits: number) =>
    put(`${Math.floor(value).toString(8).padStart(digits, '0')}\0`, at)
  const cut = path.length > 100 ? path.lastIndexOf('/', 155) : -1
  put(path.slice(cut + 1), 0)
  octal(0o600, 100, 7)
  octal(0, 108, 7)
  octal(0, 116, 7)
  octal(content.length, 124, 11)
  octal(modified, 136, 11)
  put(' '.repeat(8), 148)
  put('0', 156)
  put('ustar\x0000', 257)
  if (cut > 0) put(path.slice(0, cut), 345)
  const sum = entry.subarray(0, block).reduce((total, byte) => total + byte, 0)
  put(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  entry.set(content, block)
  return entry
}

/** What a tar archive ends with. */
export const tarEnd: Uint8Array = new Uint8Array(2 * block)
