import { isJsonObject, type Json, type JsonObject } from '../lib/json.ts'
import { kindTraits, recordKinds } from './record.ts'

/**
 * The one list of what an apply may do besides what was approved, without stopping; docs/threat-model.md has the same:
 *
 * - labels of resources at the cloud that somebody changed or removed are restored;
 * - a new server gets another private address than was shown: pull requests that are merged at once each showed the
 *   next free one;
 * - the temporary firewall rule for the run's own address, which is no record of any plan and goes when the job ends.
 *
 * Returns a change's identity without that; undefined where nothing else is left of it.
 */
export function withoutHarmless(identity: JsonObject): JsonObject | undefined {
  const { key, action } = identity
  const kind = recordKinds.find((one) => String(key).startsWith(`${one}/`))
  const traits = kind && kindTraits[kind]
  if (traits?.part === 'machine' && action === 'create') return withoutAddress(identity)
  const isLabelled = traits?.hasLabels ?? false
  return isLabelled && action !== 'create' && action !== 'delete'
    ? withoutLabels(identity)
    : identity
}

function withoutAddress(identity: JsonObject): JsonObject {
  const { after } = identity
  if (!isJsonObject(after)) return identity
  const { privateIp: _, ...others } = after
  return { ...identity, after: others }
}

function withoutLabels(identity: JsonObject): JsonObject | undefined {
  const { action, risk, fields } = identity
  if (!Array.isArray(fields)) return identity
  const others = fields.filter((field) => !isLabel(field))
  if (others.length === fields.length) return identity
  if (others.length === 0) return action === 'update' && risk === 'live' ? undefined : identity
  return { ...identity, fields: others }
}

function isLabel(field: Json): boolean {
  return isJsonObject(field) && /^labels(\.|$)/.test(String(field['path']))
}
