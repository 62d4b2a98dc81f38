const size = 512

/** A regular file as tar has it (ustar): its header and its padded contents. */
export function tarMember(name: string, content: string): Buffer {
  const bytes = Buffer.from(content)
  const header = Buffer.alloc(size)
  const [prefix, own] = splitName(name)
  header.write(own, 0)
  header.write(prefix, 345)
  header.write(`0000600\0${'0000000\0'.repeat(2)}`, 100)
  header.write(`${bytes.length.toString(8).padStart(11, '0')}\0${'0'.repeat(11)}\0`, 124)
  header.write(`${' '.repeat(8)}0`, 148)
  header.write('ustar\0' + '00', 257)
  let sum = 0
  for (const byte of header) sum += byte
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, bytes, Buffer.alloc((size - (bytes.length % size)) % size)])
}

/** Of a name that is too long the first folders have a field of their own. */
function splitName(name: string): [prefix: string, own: string] {
  if (name.length <= 100) return ['', name]
  const at = name.indexOf('/', name.length - 101)
  if (at <= 0 || at > 155) throw new Error(`${name} is too long for this archive`)
  return [name.slice(0, at), name.slice(at + 1)]
}

/** What stands at the end of an archive. */
export const tarTrailer: Buffer = Buffer.alloc(2 * size)
