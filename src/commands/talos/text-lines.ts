/** The lines of a text that comes in pieces which end anywhere, also within a character. */
export async function* textLines(
  pieces: AsyncIterable<{ readonly bytes: Uint8Array }>,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const { bytes } of pieces) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  rest += decoder.decode()
  if (rest !== '') yield rest
}
