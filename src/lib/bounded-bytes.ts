/** More came than anything that was asked for can be: it was given up, and nothing of it is used. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge'
  /** As systems call it: what sorts failures by their codes need not know this class. */
  readonly code = 'EMSGSIZE'

  constructor(mostBytes: number) {
    super(`it is larger than ${describeBytes(mostBytes)}`)
  }
}

/** Reads chunks to their end, and gives up as soon as they are more than `mostBytes`. Throws `TooLarge`. */
export async function readBounded(
  chunks: AsyncIterable<Uint8Array> | null,
  mostBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const kept: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks ?? []) {
    size += chunk.length
    if (size > mostBytes) throw new TooLarge(mostBytes)
    kept.push(chunk)
  }
  return joined(kept, size)
}

/** The same as text. */
export async function readBoundedText(
  chunks: AsyncIterable<Uint8Array> | null,
  mostBytes: number,
): Promise<string> {
  return new TextDecoder().decode(await readBounded(chunks, mostBytes))
}

/** An answer whose body fails with `TooLarge` beyond `mostBytes`, for whoever reads it. */
export function boundedResponse(response: Response, mostBytes: number): Response {
  if (response.body === null) return response
  let left = mostBytes
  const limiter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.length
      if (left < 0) controller.error(new TooLarge(mostBytes))
      else controller.enqueue(chunk)
    },
  })
  return new Response(response.body.pipeThrough(limiter), response)
}

export function describeBytes(bytes: number): string {
  return bytes >= 1 << 20 ? `${Math.round(bytes / (1 << 20))} MiB` : `${bytes} bytes`
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
