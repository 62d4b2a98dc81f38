import { type ObjectPlace, type ObjectStorage, storageFailure } from './object-storage.ts'

/** How often in a row a download breaks off without a byte before it is given up. */
const mostBreaks = 5

/**
 * The bytes of an object as they come. One that breaks off goes on where it stopped, as long as the object
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
      for await (const chunk of response.body ?? []) {
        breaks = 0
        offset += chunk.length
        yield chunk
      }
      return
    } catch (error) {
      storage.throwIfAborted()
      if (breaks >= mostBreaks || tag === undefined) {
        throw storageFailure(error, place, storage.endpoint)
      }
    }
  }
}
