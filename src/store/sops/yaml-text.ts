import { Document, type Tags } from 'yaml'
import type { JsonObject } from '../../lib/json.ts'

/** Text that every YAML reader, of version 1.1 or 1.2, takes for that very string without quotes. */
const plain = /^[A-Za-z/](?:[A-Za-z0-9._/@+=-]|:(?=\S)| (?=[^\s#]))*$/

/** What YAML 1.1 and its readers take for something else. */
const words = /^(?:y|yes|n|no|true|false|on|off|null|nil|nan|inf)$/i

const encrypted = /^ENC\[AES256_GCM,[A-Za-z0-9+/=,:_]+\]$/

/** Lines that a block scalar gives back as they are. */
const block = /^(?:[!-~][ -~]*)?(?:\n|\n[!-~][ -~]*|\n +[!-~][ -~]*)*\n?$/

/**
 * Documents as YAML that Go's and JavaScript's readers understand alike: what could be a number, date or
 * word to one of them is quoted, and nothing is folded.
 */
export function yamlText(documents: readonly JsonObject[]): string {
  return documents.map((document) => toDocument(document).toString({ lineWidth: 0 })).join('---\n')
}

function toDocument(value: JsonObject): Document {
  return new Document(value, { aliasDuplicateObjects: false, customTags: portableStrings })
}

function portableStrings(tags: Tags): Tags {
  return tags.map((tag) =>
    typeof tag === 'object' && tag.tag === 'tag:yaml.org,2002:str' && tag.collection === undefined
      ? {
          ...tag,
          stringify: ({ value }, { indent, implicitKey }) =>
            stringText(String(value), indent, implicitKey === true),
        }
      : tag,
  )
}

function stringText(value: string, indent: string, isKey: boolean): string {
  if (encrypted.test(value)) return value
  if (plain.test(value) && !words.test(value) && !value.endsWith(' ')) return value
  if (!isKey && indent !== '' && isBlock(value)) return blockText(value, indent)
  return quoted(value)
}

function isBlock(value: string): boolean {
  return value.includes('\n') && !/[ \t]$/m.test(value) && block.test(value)
}

function blockText(value: string, indent: string): string {
  const trailing = /\n*$/.exec(value)?.[0].length ?? 0
  const chomping = trailing === 0 ? '-' : trailing === 1 ? '' : '+'
  const lines = (trailing === 0 ? value : value.slice(0, -1)).split('\n')
  return `|${chomping}\n${lines.map((line) => (line === '' ? '' : indent + line)).join('\n')}`
}

/** A double-quoted scalar; escaped is whatever YAML's readers refuse or treat as a line's end. */
function quoted(value: string): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
