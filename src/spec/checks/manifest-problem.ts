import { type Document, LineCounter, parseAllDocuments } from 'yaml'
import { isJsonObject } from '../../lib/json.ts'

/**
 * What keeps a text from being Kubernetes objects, as the end of a sentence that begins with its path; undefined where
 * nothing does. Lines are those of the text. Quotes nothing of it: it may hold a secret.
 */
export function manifestProblem(text: string): string | undefined {
  const lineCounter = new LineCounter()
  const options = { version: '1.1', uniqueKeys: false, lineCounter } as const
  const documents = [...parseAllDocuments(text, options)]
  for (const document of documents) {
    const problem = problemOf(document, (offset) => lineCounter.linePos(offset).line)
    if (problem !== undefined) return problem
  }
  return documents.every(isEmpty) ? 'holds no object' : undefined
}

function problemOf(
  document: Document.Parsed,
  lineAt: (offset: number) => number,
): string | undefined {
  const [broken] = document.errors
  if (broken) return `cannot be read as YAML at its line ${lineAt(broken.pos[0])}`
  if (isEmpty(document)) return undefined
  const at = `at its line ${lineAt(document.contents?.range?.[0] ?? 0)}`
  const value: unknown = document.toJS({ maxAliasCount: 1000 })
  if (!isJsonObject(value)) return `has a document ${at} that is no object`
  const { apiVersion, kind, metadata, items } = value
  if (!isFilled(apiVersion)) return `has an object ${at} without apiVersion`
  if (!isFilled(kind)) return `has an object ${at} without kind`
  if (Array.isArray(items)) return undefined
  const isNamed = isJsonObject(metadata) && isFilled(metadata['name'])
  return isNamed ? undefined : `has an object ${at} without metadata.name`
}

function isEmpty({ contents }: Document.Parsed): boolean {
  return contents === null || ('value' in contents && contents.value === null)
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
