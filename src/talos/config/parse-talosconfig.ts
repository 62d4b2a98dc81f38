import { ClusterError } from '../../lib/cluster-error.ts'
import { isJsonObject, type Json } from '../../lib/json.ts'
import { decodeBase64 } from './base64.ts'
import type { TalosCredentials } from './talosconfig.ts'
import { parseYamlDocuments, YamlProblem } from './yaml-documents.ts'

/**
 * The credentials of a talosconfig: those of the context that it names as its own. Throws
 * `recovery-impossible` for what is no talosconfig with a client certificate, quoting nothing.
 */
export function parseTalosconfig(text: string): TalosCredentials {
  const root = rootOf(text)
  const contexts = isJsonObject(root) ? root['contexts'] : undefined
  const name = isJsonObject(root) ? root['context'] : undefined
  const context = isJsonObject(contexts) && typeof name === 'string' ? contexts[name] : undefined
  if (!isJsonObject(context)) throw unusable('it has no context of its own')
  const [ca, crt, key] = ['ca', 'crt', 'key'].map((field) => pemOf(context[field]))
  if (ca === undefined || crt === undefined || key === undefined) {
    throw unusable(`its context ${name} has no client certificate`)
  }
  return { ca, crt, key }
}

function rootOf(text: string): Json | undefined {
  try {
    return parseYamlDocuments(text)[0]
  } catch (error) {
    throw error instanceof YamlProblem ? unusable(error.message) : error
  }
}

function pemOf(value: Json | undefined): string | undefined {
  const bytes = typeof value === 'string' && value !== '' ? decodeBase64(value) : undefined
  return bytes && new TextDecoder().decode(bytes)
}

function unusable(reason: string): ClusterError {
  return new ClusterError('recovery-impossible', `the talosconfig cannot be used: ${reason}`, {
    operation: 'read a talosconfig',
    hint: 'give one with the role os:admin, as `hcloud-talos talosconfig` or talosctl writes it',
  })
}
