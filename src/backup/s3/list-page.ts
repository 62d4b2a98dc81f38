export interface ListedObject {
  readonly key: string
  /** In bytes. */
  readonly size: number
}

interface Page {
  readonly objects: readonly ListedObject[]
  /** With what the next page is asked for; undefined after the last. */
  readonly next: string | undefined
}

/** Undefined for what is no list, or not all of one: an empty folder is distinguished from an answer that nobody understands. */
export function readPage(text: string): Page | undefined {
  const list = insideOf(text)
  const isTruncated = list === undefined ? undefined : field(list, 'IsTruncated')
  if (list === undefined || (isTruncated !== 'true' && isTruncated !== 'false')) return undefined
  const entries = entriesOf(list).map((entry) => ({
    key: decodeKey(field(entry, 'Key')),
    size: /^\d+$/.test(field(entry, 'Size')) ? Number(field(entry, 'Size')) : Number.NaN,
  }))
  const next = decodeXml(field(list, 'NextContinuationToken'))
  const isReadable = entries.every(({ key, size }) => key !== '' && Number.isSafeInteger(size))
  if (!isReadable || (isTruncated === 'true' && next === '')) return undefined
  return { objects: entries, next: isTruncated === 'true' ? next : undefined }
}

/** Found by position: a pattern over megabytes of somebody else's text may take hours. */
function insideOf(text: string): string | undefined {
  const begins = text.indexOf('<ListBucketResult')
  const opened = begins < 0 ? -1 : text.indexOf('>', begins)
  const ends = text.lastIndexOf('</ListBucketResult>')
  const isComplete =
    opened >= 0 && ends > opened && text.slice(ends).trim() === '</ListBucketResult>'
  return isComplete ? text.slice(opened + 1, ends) : undefined
}

function entriesOf(list: string): string[] {
  return list
    .split('<Contents>')
    .slice(1)
    .map((text) => text.slice(0, Math.max(0, text.indexOf('</Contents>'))))
}

function field(text: string, name: string): string {
  const [open, close] = [`<${name}>`, `</${name}>`]
  const begins = text.indexOf(open)
  const ends = begins < 0 ? -1 : text.indexOf(close, begins)
  return ends < 0 ? '' : text.slice(begins + open.length, ends)
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
