const size = 512

/** A regular file as tar has it (ustar): its header and its padded contents. */
export function tarMember(name: string, content: string): Buffer {
  const bytes = Buffer.from(content)
  const header = Buffer.alloc(size)
  header.write(name.slice(0, 100), 0)
  header.write(`0000600\0${'0000000\0'.repeat(2)}`, 100)
  header.write(`${bytes.length.toString(8).padStart(11, '0')}\0${'0'.repeat(11)}\0`, 124)
  header.write(`${' '.repeat(8)}0`, 148)
  header.write('ustar\0' + '00', 257)
  let sum = 0
  for (const byte of header) sum += byte
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, bytes, Buffer.alloc((size - (bytes.length % size)) % size)])
}

/** What stands at the end of an archive. */
export const tarTrailer: Buffer = Buffer.alloc(2 * size)
