import {
  type Document,
  type DocumentOptions,
  LineCounter,
  type ParseOptions,
  parseAllDocuments,
  type SchemaOptions,
  stringify,
} from 'yaml'
import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts'

/** What is wrong with a YAML text, without quoting it: it may hold secrets. */
export class YamlProblem extends Error {
  override readonly name = 'YamlProblem'
}

/**
 * The documents of a YAML text; empty ones are left out. Anchors and merge keys work. Throws
 * YamlProblem with the line for what is not YAML, for duplicate keys and for alias bombs.
 */
export function parseYamlDocuments(text: string): Json[] {
  return readDocuments(text, { merge: true }, (document) => toJson(toJs(document)))
}

/** What `read` makes of the documents of a text, without those of which it makes nothing. */
export function readDocuments(
  text: string,
  options: ParseOptions & DocumentOptions & SchemaOptions,
  read: (document: Document.Parsed) => Json,
): Json[] {
  const lines = new LineCounter()
  const documents = parseAllDocuments(text, {
    ...options,
    prettyErrors: false,
    lineCounter: lines,
  })
  if (!Array.isArray(documents)) return []
  return documents.flatMap((document) => {
    const [error] = document.errors
    if (error !== undefined) {
      const { line } = lines.linePos(error.pos[0])
      throw new YamlProblem(`line ${line}: ${reasons[error.code] ?? 'this is not YAML'}`)
    }
    const value = read(document)
    return value === null ? [] : [value]
  })
}

const reasons: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'the same key appears twice',
  TAB_AS_INDENT: 'tabs cannot indent YAML',
  BAD_INDENT: 'the indentation does not fit',
}

function toJs(document: { toJS(options: { maxAliasCount: number }): unknown }): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch {
    throw new YamlProblem('an alias refers to nothing, or aliases unfold into too much')
  }
}

function toJson(value: unknown): Json {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (Array.isArray(value)) return value.map(toJson)
  if (isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toJson(each)]))
  }
  throw new YamlProblem(`a value of the type ${typeof value} cannot stand in a config`)
}

/**
 * YAML as Talos's own tools lay it out: four spaces, nothing folded, documents parted by `---`.
 * Strings that YAML 1.1 or 1.2 would take for something else are quoted, since Go's reader knows both.
 */
export function formatYamlDocuments(documents: readonly JsonObject[]): string {
  return documents
    .map((document) =>
      stringify(document, {
        version: '1.1',
        compat: 'core',
        indent: 4,
        lineWidth: 0,
        singleQuote: true,
        aliasDuplicateObjects: false,
      }),
    )
    .join('---\n')
}
