import { formatBytes } from './format-bytes.ts'

/** More came than anything that was asked for can be: it was given up, and nothing of it is used. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge'
  /** As systems call it: what sorts failures by their codes need not know this class. */
  readonly code = 'EMSGSIZE'

  constructor(mostBytes: number) {
    super(`it is larger than ${formatBytes(mostBytes)}`)
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

/**
 * The same answer with its body read to the end, for who takes a body that breaks off for an empty one. Throws `TooLarge`,
 * and what the connection does.
 */
export async function wholeResponse(response: Response, mostBytes: number): Promise<Response> {
  if (response.body === null) return response
  return new Response(await readBounded(response.body, mostBytes), response)
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
