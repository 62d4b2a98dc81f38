import { type ObjectPlace, type ObjectStorage, StrangeAnswer } from './object-storage.ts'

/**
 * The first bytes of an object, as many as are asked for: an object must be at least so long. Throws `snapshot-missing`,
 * `object-storage-failed`.
 */
export function readBeginning(
  storage: ObjectStorage,
  place: ObjectPlace,
  length: number,
): Promise<Uint8Array> {
  const headers = { range: `bytes=0-${length - 1}` }
  return storage.ask(place, { method: 'GET', headers }, async (answer) => {
    const kept: Uint8Array[] = []
    let left = length
    for await (const chunk of bytesFrom(answer, 0)) {
      kept.push(chunk.subarray(0, left))
      left -= Math.min(left, chunk.length)
      if (left === 0) return Buffer.concat(kept)
    }
    throw new StrangeAnswer(`it sent ${length - left} bytes of ${length}`)
  })
}

/**
 * What an answer holds from a byte of the object on. Whoever is asked for a part may answer with all of it, and what is
 * before the part is passed over then. Throws `StrangeAnswer` for another part.
 */
export async function* bytesFrom(
  answer: Response,
  offset: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const [, begin = '0'] = /^bytes (\d+)-/.exec(answer.headers.get('content-range') ?? '') ?? []
  if (answer.status === 206 && Number(begin) !== offset) {
    throw new StrangeAnswer(`it sent the bytes from ${begin} on, and not from ${offset} on`)
  }
  let before = answer.status === 206 ? 0 : offset
  for await (const chunk of answer.body ?? []) {
    const passed = Math.min(before, chunk.length)
    before -= passed
    if (passed < chunk.length) yield chunk.subarray(passed)
  }
}
