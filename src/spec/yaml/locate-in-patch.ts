import { isMap, isSeq, LineCounter, parseAllDocuments } from 'yaml'
import type { Position } from '../../lib/finding.ts'
import { asWritten } from './locate-findings.ts'
import { parseYaml } from './parse-yaml.ts'
import { type Path, YamlSource } from './yaml-source.ts'

/** What of a patch is meant: keys and indexes from the top of its document of a kind and name. */
export interface PlaceInPatch {
  readonly at: Path
  readonly kind: string
  /** Undefined for the first of its kind. */
  readonly name?: string | undefined
}

/**
 * Where in a cluster file something of a patch stands. A patch is a mapping in the file, or a text of its
 * own in it: then it begins a line below its `|`. A text in quotes is pointed at as a whole.
 */
export function locateInPatch(text: string, path: Path, place: PlaceInPatch): Position {
  const { at } = place
  const { source } = parseYaml(text)
  const patch = asWritten(path, source)
  const start = source.position(patch, 'value')
  const written = source.written(patch)
  const steps = at.map((step) => (/^\d+$/.test(String(step)) ? Number(step) : step))
  if (written === undefined) return source.position([...patch, ...steps], 'key')
  const fileLines = text.split('\n')
  if (fileLines[start.line - 1]?.[start.column - 1] !== '|') return start
  const lines = new LineCounter()
  const documents = parseAllDocuments(written, { lineCounter: lines, logLevel: 'silent' })
  if (!Array.isArray(documents)) return start
  const document =
    documents.find(({ contents }) => isSeq(contents)) ??
    documents.find((each) => isMap(each.contents) && isMeant(each.toJS(), place))
  if (!document) return start
  const line = start.line + new YamlSource(document, lines).position(steps, 'key').line
  return { line, column: (fileLines[line - 1]?.search(/\S/) ?? 0) + 1 }
}

function isMeant(document: unknown, { kind, name }: PlaceInPatch): boolean {
  const isOfKind = textOf(document, 'kind') === kind
  return isOfKind && (name === undefined || textOf(document, 'name') === name)
}

function textOf(document: unknown, key: string): string {
  const values = new Map(Object.entries(document ?? {}))
  return String(values.get(key) ?? '')
}
