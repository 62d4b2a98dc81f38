import { isJsonObject, type Json, type JsonObject } from '../lib/json.ts'
import { nodeConfigPath } from '../store/files/layout.ts'
import { readableDocuments } from '../store/files/readable-documents.ts'
import type { Generation } from '../store/generation.ts'

/** What etcd takes for itself where nobody says otherwise, in bytes. */
const defaultQuota = 2_147_483_648n

/** How large the database of etcd may grow: the least that the control planes were last given. */
export function etcdQuota({ inventory, files }: Pick<Generation, 'inventory' | 'files'>): bigint {
  const quotas = inventory.nodes.flatMap(({ name, role }) => {
    const content = role === 'control-plane' ? files.get(nodeConfigPath(name)) : undefined
    const documents = content && readableDocuments(content)
    return documents ? [quotaOf(documents)] : []
  })
  const [least = defaultQuota] = quotas.sort((a, b) => Number(a - b))
  return least
}

/** A config that names none leaves it to etcd. */
function quotaOf(documents: readonly JsonObject[]): bigint {
  const [quota = defaultQuota] = documents.flatMap((document) => {
    const text = at(document, 'cluster', 'etcd', 'extraArgs', 'quota-backend-bytes')
    const value = Array.isArray(text) ? text.at(-1) : text
    return /^[1-9]\d{0,17}$/.test(String(value)) ? [BigInt(String(value))] : []
  })
  return quota
}

function at(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (inner, key) => (isJsonObject(inner) ? inner[key] : undefined),
    value,
  )
}
