import { type ListedObject, readPage } from './list-page.ts'
import { type ObjectStorage, StrangeAnswer, storageFailure } from './object-storage.ts'

/** A bucket with more objects below one prefix than this is no folder of snapshots. */
const mostPages = 20

/**
 * The objects of a bucket whose keys begin with a prefix, those in folders below it left out. Throws `snapshot-missing`
 * where there is no such bucket, else `object-storage-failed`.
 */
export async function listObjects(
  storage: ObjectStorage,
  { bucket, prefix }: { readonly bucket: string; readonly prefix: string },
): Promise<ListedObject[]> {
  const found: ListedObject[] = []
  let token: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const query = { 'list-type': '2', delimiter: '/', 'encoding-type': 'url', prefix }
    const text = await storage.text(
      { bucket, key: '' },
      { method: 'GET', query: { ...query, ...(token && { 'continuation-token': token }) } },
    )
    const listed = readPage(text)
    if (!listed) throw failed('it did not answer with a list of objects')
    found.push(...listed.objects)
    if (listed.next === undefined) return found
    token = listed.next
  }
  throw failed(`more than ${found.length} objects are there`)

  function failed(reason: string) {
    return storageFailure(new StrangeAnswer(reason), { bucket, key: prefix }, storage.endpoint)
  }
}
