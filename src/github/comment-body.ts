import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { visibleMarkdown } from '../plan/markdown-escape.ts'
import { type PlanRecord, parsePlanRecord } from '../plan/plan-record.ts'
import { renderPlanMarkdown } from '../plan/render-markdown.ts'
import { byteLength, fitMarkdown, markdownLimits } from './fit-markdown.ts'

/** A comment's text is made again at these fractions of the limit where GitHub refuses it. */
export const bodyFractions = [1, 0.5, 0.1] as const

/** What one record may unfold to, in bytes: it is read from a comment. */
const longestRecord = 8_000_000

const recordLine = /^<!-- hcloud-talos:record:1:([A-Za-z0-9+/]+={0,2}) -->$/
const tooLarge = '<!-- hcloud-talos:record:too-large -->'
const tooLargeNotice =
  '> **Merging this approves nothing**: the plan is too large to be shown whole in a comment.\n\n'

/** The hidden first line by which the comment of a cluster is found again. */
export function commentMarker(clusterName: string): string {
  return `<!-- hcloud-talos:plan:${clusterName} -->`
}

/** What people read of a record. */
export function renderRecord({ plan }: PlanRecord): string {
  return visibleMarkdown(renderPlanMarkdown(plan))
}

/** The hidden last line that holds a record: deflated JSON in base64, in which nothing can end the comment. */
export function packRecord(json: string): string {
  const packed = deflateRawSync(Buffer.from(json, 'utf8'), { level: 9 }).toString('base64')
  return `<!-- hcloud-talos:record:1:${packed} -->`
}

/**
 * The whole comment at a fraction of what GitHub takes: the marker, what people read, and the record. Where they do not
 * fit together the text is cut, and the record left out: what nobody was shown, nobody approves.
 */
export function composeBody(
  { clusterName, text, record }: { clusterName: string; text: string; record?: string | undefined },
  fraction: number,
): string {
  const limit = Math.floor(markdownLimits.comment * fraction)
  const marker = commentMarker(clusterName)
  const room = limit - marker.length - 1
  const last = record === undefined ? '' : `\n\n${record}`
  if (record === undefined || byteLength(text) + last.length <= room) {
    return `${marker}\n${fitMarkdown(text, room - last.length)}${last}`
  }
  const mark = `\n\n${tooLarge}`
  return `${marker}\n${fitMarkdown(`${tooLargeNotice}${text}`, room - mark.length)}${mark}`
}

/**
 * The record in a comment, if what people read is what is rendered from it, to the letter. Otherwise the reason why
 * the comment approves nothing.
 */
export function readBody(body: string, clusterName: string): PlanRecord | string {
  const whole = plain(body)
  const last = whole.slice(whole.lastIndexOf('\n') + 1)
  if (last === tooLarge) return 'its plan was too large to be shown whole in the comment'
  const packed = recordLine.exec(last)?.[1]
  const record = packed === undefined ? undefined : unpack(packed)
  if (!record || record.plan.clusterName !== clusterName) {
    return 'its comment holds no plan that can be read'
  }
  const content = { clusterName, text: renderRecord(record), record: last }
  const isSame = bodyFractions.some((fraction) => plain(composeBody(content, fraction)) === whole)
  return isSame ? record : 'what its comment shows is not what it records'
}

function unpack(packed: string): PlanRecord | undefined {
  try {
    const bytes = inflateRawSync(Buffer.from(packed, 'base64'), { maxOutputLength: longestRecord })
    return parsePlanRecord(JSON.parse(bytes.toString('utf8')))
  } catch {
    return undefined
  }
}

/** Line ends and what stands around the text are the server's. */
function plain(text: string): string {
  return text.replaceAll('\r\n', '\n').trim()
}
