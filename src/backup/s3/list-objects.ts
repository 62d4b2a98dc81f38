import { answerText, type ObjectStorage, storageFailure } from './object-storage.ts'

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
    const answer = await storage.send(
      { bucket, key: '' },
      { method: 'GET', query: { ...query, ...(token && { 'continuation-token': token }) } },
    )
    const text = await answerText(answer)
    for (const [, entry = ''] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
      found.push({ key: decodeKey(field(entry, 'Key')), size: Number(field(entry, 'Size')) })
    }
    token = decodeXml(field(text, 'NextContinuationToken'))
    if (field(text, 'IsTruncated') !== 'true' || token === '') return found
  }
  const reason = new Error(`more than ${found.length} objects are there`)
  throw storageFailure(reason, { bucket, key: prefix }, storage.endpoint)
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
