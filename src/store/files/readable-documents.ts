import { isJsonObject, type JsonObject } from '../../lib/json.ts'
import { everything } from '../sops/secret-keys.ts'
import { yamlDocuments } from '../sops/yaml-documents.ts'

/** Read before: a run plans several times over the same files, and YAML is slow. */
const known = new WeakMap<Uint8Array, readonly JsonObject[] | 'nothing'>()

/**
 * The documents of a sealed file as anybody can read them: what is secret stands there as SOPS's
 * ciphertexts. Undefined for a file of which nobody can read anything. For a file of a verified generation.
 */
export function readableDocuments(content: Uint8Array): readonly JsonObject[] | undefined {
  const documents = known.get(content) ?? parse(content)
  known.set(content, documents)
  return documents === 'nothing' ? undefined : documents
}

function parse(content: Uint8Array): JsonObject[] | 'nothing' {
  const documents = yamlDocuments(Buffer.from(content).toString('utf8'))
  const { sops } = documents[0] ?? {}
  if (isJsonObject(sops) && sops['encrypted_regex'] === everything) return 'nothing'
  return documents.map(({ sops: _, ...rest }) => rest)
}
