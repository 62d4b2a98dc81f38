/** The bytes of a stream of pieces, as they come. */
export async function* bytesOf(
  pieces: AsyncIterable<{ readonly bytes: Uint8Array }>,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const { bytes } of pieces) yield bytes
}
