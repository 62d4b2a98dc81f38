import type { JsonObject } from '../lib/json.ts'
import { yamlDocuments } from './sops/yaml-documents.ts'

/** Read before: a run plans several times over the same files, and YAML is slow. */
const known = new WeakMap<Uint8Array, readonly JsonObject[]>()

/**
 * The documents of a sealed file as anybody can read them: what is secret stands there as SOPS's
 * ciphertexts. For a file of a verified generation.
 */
export function readableDocuments(content: Uint8Array): readonly JsonObject[] {
  const documents = known.get(content) ?? parse(content)
  known.set(content, documents)
  return documents
}

function parse(content: Uint8Array): JsonObject[] {
  return yamlDocuments(Buffer.from(content).toString('utf8')).map(({ sops: _, ...rest }) => rest)
}
