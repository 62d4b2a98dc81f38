const lineFeed = 0x0a

/** Bytes that come in pieces which end anywhere, cut behind line feeds: no byte is lost, and a line is one piece. */
export async function* byteLines(
  pieces: AsyncIterable<{ readonly bytes: Uint8Array }>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let rest: Buffer[] = []
  for await (const { bytes } of pieces) {
    let from = 0
    const piece = Buffer.from(bytes)
    for (let at = piece.indexOf(lineFeed); at >= 0; at = piece.indexOf(lineFeed, from)) {
      yield Buffer.concat([...rest, piece.subarray(from, at + 1)])
      rest = []
      from = at + 1
    }
    rest.push(piece.subarray(from))
  }
  const last = Buffer.concat(rest)
  if (last.length > 0) yield last
}
