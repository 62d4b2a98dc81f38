import { parseAllDocuments } from 'yaml'
import { isJsonObject, type JsonObject } from '../../lib/json.ts'

/** The mappings in a plain YAML text; empty documents are left out. Throws for what is not that. */
export function yamlDocuments(text: string): JsonObject[] {
  const documents = parseAllDocuments(text, { uniqueKeys: true, logLevel: 'silent' })
  if (!Array.isArray(documents)) return []
  return documents.flatMap((document) => {
    const [error] = document.errors
    if (error) throw new Error(`not YAML: ${error.code}`)
    const value: unknown = document.toJS({ maxAliasCount: 100 })
    if (value === null) return []
    if (!isJsonObject(value)) throw new Error('a YAML document that is no mapping cannot be kept')
    return [value]
  })
}
