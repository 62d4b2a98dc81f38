import { type Document, isAlias, isMap, isScalar, isSeq, type Scalar, type YAMLMap } from 'yaml'
import { type GoScalar, resolveGoScalar } from '../../lib/go-scalar.ts'
import type { Json } from '../../lib/json.ts'
import { decodeText } from './base64.ts'
import { jsonKind, kindBelow, kindOfDocument, readingOf } from './field-reading.ts'
import { YamlProblem } from './yaml-documents.ts'

/** More than any config has; aliases of aliases soon stand for more. */
const mostValues = 100_000
const deepest = 100

/**
 * Reads documents that were parsed with the schema `failsafe`, so that each scalar still is as it was
 * written, the way Go reads them into Talos's types: into a text a number goes as it is spelled, into a
 * number 0644 as an octal one. What is of a wrong shape for its field is left for the validation.
 */
export class TypedReader {
  #left = mostValues

  /** A whole document; which fields it has, its kind tells. */
  document(document: Document.Parsed): Json {
    const { contents } = document
    const kind = isMap(contents) ? this.#textOf(contents, 'kind', document) : ''
    return this.#value(isMap(contents) ? kindOfDocument(kind) : jsonKind, contents, document, 0)
  }

  #textOf(map: YAMLMap, key: string, document: Document.Parsed): string {
    const value = new Map(this.#entries(map, document, 0)).get(key)
    return isScalar(value) ? String(value.value ?? '') : ''
  }

  #value(kind: string, written: unknown, document: Document.Parsed, depth: number): Json {
    this.#left -= 1
    if (this.#left < 0 || depth > deepest) throw new YamlProblem('it stands for too many values')
    const node = resolved(written, document)
    if (isScalar(node)) return scalarValue(kind, node)
    if (isSeq(node)) {
      const below = kindBelow(kind, undefined)
      return node.items.map((item) => this.#value(below, item, document, depth + 1))
    }
    if (!isMap(node)) return null
    const entries = this.#entries(node, document, depth)
    return Object.fromEntries(
      entries.map(([key, value]) => [
        key,
        this.#value(kindBelow(kind, key), value, document, depth + 1) ?? emptyIn(kind),
      ]),
    )
  }

  /** Keys as they are spelled; what a merge key brings comes last, and overrides nothing. */
  #entries(map: YAMLMap, document: Document.Parsed, depth: number): [string, unknown][] {
    if (depth > deepest) throw new YamlProblem('it stands for too many values')
    const entries = new Map<string, unknown>()
    const merged: unknown[] = []
    for (const { key, value } of map.items) {
      const name = resolved(key, document)
      if (!isScalar(name)) throw new YamlProblem('a list or a mapping cannot be a key')
      if (name.value === '<<' && name.type === 'PLAIN') merged.push(resolved(value, document))
      else entries.set(keyText(name), value)
    }
    for (const [key, value] of merged.flatMap((each) => this.#mergedFrom(each, document, depth))) {
      if (!entries.has(key)) entries.set(key, value)
    }
    return [...entries]
  }

  /** The keys of a mapping behind `<<`, or of several, of which the first counts most. */
  #mergedFrom(value: unknown, document: Document.Parsed, depth: number): [string, unknown][] {
    return (isSeq(value) ? value.items : [value]).flatMap((source) => {
      const from = resolved(source, document)
      if (!isMap(from)) throw new YamlProblem('only a mapping can be merged by <<')
      return this.#entries(from, document, depth + 1)
    })
  }
}

function resolved(node: unknown, document: Document.Parsed): unknown {
  if (!isAlias(node)) return node
  const target = node.resolve(document)
  if (target === undefined) throw new YamlProblem('an alias refers to nothing')
  return target
}

/** A key without a value in a mapping of texts or of words: Go puts an empty one there. */
function emptyIn(kind: string): Json {
  if (!kind.startsWith('{}')) return null
  const reading = readingOf(kindBelow(kind, ''))
  return reading === 'text' ? '' : reading === 'bool' ? false : null
}

/** Go leaves such a key out, and nobody means that. */
function keyText(key: Scalar): string {
  const text = scalarValue('string', key)
  if (typeof text === 'string') return text
  throw new YamlProblem('a key without a text: put it in quotes')
}

function scalarValue(kind: string, scalar: Scalar): Json {
  const source = String(scalar.value ?? '')
  const value = resolveTagged(source, scalar)
  if (value.is === 'null') return null
  const isWritten = value.is !== 'text'
  switch (readingOf(kind)) {
    case 'text':
      return isWritten ? source : value.value
    case 'bool':
      return value.is === 'text' ? (booleans.get(source) ?? source) : numberOr(value, source)
    case 'whole':
    case 'number or text':
      return numberOr(value, source)
    case 'JSON':
      return value.is === 'time' ? value.value : anyValue(value)
    default:
      return anyValue(value)
  }
}

/** What Go takes for true and false where it wants one, in every version that Talos was built with. */
const booleans: ReadonlyMap<string, boolean> = new Map([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
])

/** For a field that takes a number, or true and false: what is neither stays as it is spelled, and is a fault. */
function numberOr(value: GoScalar, source: string): Json {
  if (value.is === 'text' || value.is === 'bool') return value.value
  if (value.is === 'int') return Number(value.value)
  return value.is === 'float' && Number.isFinite(value.value) ? value.value : source
}

/** For what holds anything, and becomes JSON in the end. */
function anyValue(value: GoScalar): Json {
  if (value.is === 'null') return null
  if (value.is === 'time') throw new YamlProblem('a day or a time stands without quotes')
  if (value.is === 'float' && !Number.isFinite(value.value)) {
    throw new YamlProblem('a number is not finite')
  }
  return value.is === 'int' ? Number(value.value) : value.value
}

const tagPrefix = 'tag:yaml.org,2002:'
const tags: Readonly<Record<string, readonly GoScalar['is'][]>> = {
  null: ['null'],
  bool: ['bool'],
  int: ['int'],
  float: ['float', 'int'],
  timestamp: ['time'],
}

function resolveTagged(source: string, { tag = '', type }: Scalar): GoScalar {
  const isQuoted = type !== 'PLAIN' && type !== undefined
  if (tag === '' || tag === '!') {
    return isQuoted ? { is: 'text', value: source } : resolveGoScalar(source)
  }
  const name = tag.startsWith(tagPrefix) ? tag.slice(tagPrefix.length) : tag
  if (name === 'str') return { is: 'text', value: source }
  if (name === 'binary') return { is: 'text', value: binaryText(source) }
  const value = resolveGoScalar(source)
  if (Object.hasOwn(tags, name) && tags[name]?.includes(value.is)) return value
  throw new YamlProblem('a value has a tag that does not fit it')
}

function binaryText(source: string): string {
  const text = decodeText(source.replaceAll(/\s/g, ''))
  if (text === undefined) throw new YamlProblem('a value of the tag !!binary is not base64')
  return text
}
