import { type ObjectStorage, StrangeAnswer, storageFailure } from './object-storage.ts'

export interface ListedObject {
  readonly key: string
  /** In bytes. */
  readonly size: number
}

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

interface Page {
  readonly objects: readonly ListedObject[]
  /** With what the next page is asked for; undefined after the last. */
  readonly next: string | undefined
}

/** Undefined for what is no list, or not all of one: an empty folder is told from an answer that nobody understands. */
function readPage(text: string): Page | undefined {
  const [, list] = /<ListBucketResult[^>]*>(.*)<\/ListBucketResult>\s*$/s.exec(text) ?? []
  const isTruncated = list === undefined ? undefined : field(list, 'IsTruncated')
  if (list === undefined || (isTruncated !== 'true' && isTruncated !== 'false')) return undefined
  const entries = [...list.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, entry = '']) => ({
    key: decodeKey(field(entry, 'Key')),
    size: /^\d+$/.test(field(entry, 'Size')) ? Number(field(entry, 'Size')) : Number.NaN,
  }))
  const next = decodeXml(field(list, 'NextContinuationToken'))
  const isReadable = entries.every(({ key, size }) => key !== '' && Number.isSafeInteger(size))
  if (!isReadable || (isTruncated === 'true' && next === '')) return undefined
  return { objects: entries, next: isTruncated === 'true' ? next : undefined }
}

function field(text: string, name: string): string {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1] ?? ''
}

/** As `encoding-type=url` has it: like a form, with a plus for a blank. */
function decodeKey(text: string): string {
  try {
    return decodeURIComponent(decodeXml(text).replaceAll('+', ' '))
  } catch {
    return text
  }
}

function decodeXml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}
