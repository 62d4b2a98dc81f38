import { TooLarge } from '../../lib/bounded-bytes.ts'
import { bytesFrom } from './answered-part.ts'
import {
  type ObjectPlace,
  type ObjectStorage,
  StrangeAnswer,
  storageFailure,
} from './object-storage.ts'

/** How often in a row a download breaks off without a byte before it is given up. */
const mostBreaks = 5
/** Twice what etcd advises for its largest: what is in a bucket fills no disk. */
const mostBytes = 16 * 2 ** 30

/**
 * The bytes of an object as they come. One that breaks off continues where it stopped, as long as the object
 * is still the same. Throws `snapshot-missing`, `object-storage-failed`.
 */
export async function* downloadObject(
  storage: ObjectStorage,
  place: ObjectPlace,
): AsyncGenerator<Uint8Array, void, undefined> {
  let offset = 0
  let tag: string | undefined
  for (let breaks = 0; ; breaks++) {
    const response = await storage.send(place, {
      method: 'GET',
      ...(tag !== undefined && { headers: { range: `bytes=${offset}-`, 'if-match': tag } }),
    })
    tag ??= response.headers.get('etag') ?? undefined
    try {
      for await (const chunk of bytesFrom(response, offset)) {
        breaks = 0
        offset = grown(offset, chunk)
        yield chunk
      }
      return
    } catch (error) {
      storage.throwIfAborted()
      const isLasting = error instanceof TooLarge || error instanceof StrangeAnswer
      if (isLasting || breaks >= mostBreaks || tag === undefined) {
        throw storageFailure(error, place, storage.endpoint)
      }
    }
  }
}

function grown(offset: number, chunk: Uint8Array): number {
  if (offset + chunk.length > mostBytes) throw new TooLarge(mostBytes)
  return offset + chunk.length
}
