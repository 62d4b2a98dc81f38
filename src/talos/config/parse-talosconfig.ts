import { ClusterError } from '../../lib/cluster-error.ts'
import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts'
import { decodeText } from './base64.ts'
import type { TalosCredentials } from './talosconfig.ts'
import { parseYamlDocuments, YamlProblem } from './yaml-documents.ts'

/** One context of a talosconfig: where a cluster is, and who one is there. */
export interface TalosContext {
  readonly name: string
  /** Never empty. */
  readonly endpoints: readonly [string, ...string[]]
  readonly nodes: readonly string[]
  readonly credentials: TalosCredentials
}

/**
 * Reads a talosconfig, as talosctl and this program write it: the context of this name, or the one that
 * is chosen in it. Throws `talosconfig-invalid`, and quotes nothing of it.
 */
export function parseTalosconfig(text: string, source: string, wanted?: string): TalosContext {
  const { context: chosen, contexts } = read(text, source)
  if (!isJsonObject(contexts)) throw invalid(source, 'it has no contexts')
  const name = wanted ?? (typeof chosen === 'string' ? chosen : '')
  const context = contexts[name]
  if (!isJsonObject(context)) {
    const known = Object.keys(contexts).join(', ') || 'none'
    throw invalid(source, `it has no context ${name || 'that is chosen'}; there is: ${known}`)
  }
  const [first, ...others] = texts(context['endpoints'])
  if (first === undefined) throw invalid(source, `its context ${name} has no endpoints`)
  const pem = (key: string) => {
    const value = context[key]
    const decoded = typeof value === 'string' ? decodeText(value) : undefined
    if (decoded?.includes('-----BEGIN ')) return decoded
    throw invalid(source, `its context ${name} has no ${key} that is PEM in base64`)
  }
  return {
    name,
    endpoints: [first, ...others],
    nodes: texts(context['nodes']),
    credentials: { ca: pem('ca'), crt: pem('crt'), key: pem('key') },
  }
}

function read(text: string, source: string): JsonObject {
  try {
    const [document] = parseYamlDocuments(text)
    if (isJsonObject(document)) return document
  } catch (error) {
    if (!(error instanceof YamlProblem)) throw error
    throw invalid(source, error.message)
  }
  throw invalid(source, 'it is no YAML mapping')
}

function texts(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

function invalid(source: string, problem: string): ClusterError {
  return new ClusterError('talosconfig-invalid', `this talosconfig cannot be used: ${problem}`, {
    operation: 'read',
    target: source,
    hint: 'Create one with `hcloud-talos talosconfig`; one that signs in with a browser (Omni) cannot be used.',
  })
}
