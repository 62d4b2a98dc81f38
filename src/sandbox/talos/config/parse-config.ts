import { parseAllDocuments, stringify } from 'yaml'
import { atLeast, type TalosVersion } from '../talos-version.ts'
import { allSettings } from './all-settings.ts'
import { ConfigRefused } from './config-refused.ts'
import { isRecord, textAt } from './config-value.ts'
import { knownDocuments, laterFields } from './known-documents.ts'
import { checkShape } from './unknown-keys.ts'
import { v1alpha1Fields } from './v1alpha1-fields.ts'

/** A machine config in its documents; each has a shape that the node knows. */
export interface ConfigDocuments {
  /** The document without a kind, `machine` and `cluster`; undefined in a partial config. */
  readonly v1alpha1: Record<string, unknown> | undefined
  readonly others: readonly Record<string, unknown>[]
  /** What the node reads out of all of them (see allSettings); undefined in a partial config. */
  readonly settings: Readonly<Record<string, unknown>> | undefined
}

/** Reads a machine config as a node of this version does. Throws ConfigRefused where the node would not. */
export function parseConfig(text: string, version: TalosVersion): ConfigDocuments {
  const parsed = parseAllDocuments(text)
  if (!Array.isArray(parsed)) throw new ConfigRefused('config not found')
  const seen = new Set<string>()
  let v1alpha1: Record<string, unknown> | undefined
  const others: Record<string, unknown>[] = []
  for (const document of parsed) {
    const problem = document.errors[0]
    if (problem !== undefined) throw new ConfigRefused(`decode error: yaml: ${problem.message}`)
    const value: unknown = document.toJS()
    if (value === null) continue
    if (!isRecord(value)) throw new ConfigRefused('expected a YAML document')
    const name = documentName(value)
    if (seen.has(name)) throw new ConfigRefused(`duplicate document ${name} is not allowed`)
    seen.add(name)
    checkDocument(value, name, version)
    if (textAt(value, 'kind') === '') v1alpha1 = value
    else others.push(value)
  }
  if (seen.size === 0) throw new ConfigRefused('config not found')
  return { v1alpha1, others, settings: v1alpha1 && allSettings(v1alpha1, others) }
}

function documentName(value: Record<string, unknown>): string {
  const kind = textAt(value, 'kind') || 'v1alpha1'
  return `${textAt(value, 'apiVersion')}/${kind}/${textAt(value, 'name')}`
}

function checkDocument(value: Record<string, unknown>, name: string, version: TalosVersion): void {
  const problem =
    textAt(value, 'kind') === ''
      ? legacyProblem(value, version)
      : documentProblem(value, textAt(value, 'kind'), version)
  if (problem !== undefined) {
    throw new ConfigRefused(`error decoding document ${name}: ${problem}`)
  }
}

function documentProblem(
  value: Record<string, unknown>,
  kind: string,
  version: TalosVersion,
): string | undefined {
  if (!('apiVersion' in value)) return 'missing apiVersion'
  const known = knownDocuments[kind]
  if (known === undefined || !atLeast(version, known.since) || value['apiVersion'] !== 'v1alpha1') {
    return `"${kind}" "${textAt(value, 'apiVersion')}": not registered`
  }
  if (known.fields === undefined) return undefined
  const fields = new Set(['apiVersion', 'kind', ...known.fields.split(' ')])
  const isKnown = (key: string) =>
    fields.has(key) && atLeast(version, known.laterFields?.[key] ?? 0)
  const unknown = Object.entries(value).filter(([key]) => !isKnown(key))
  return unknown.length === 0 ? undefined : unknownKeys(Object.fromEntries(unknown))
}

function legacyProblem(value: Record<string, unknown>, version: TalosVersion): string | undefined {
  const isLegacy = ['machine', 'cluster', 'debug', 'persist'].some((key) => key in value)
  if (!isLegacy && value['version'] !== 'v1alpha1') return 'missing kind'
  const isKnown = (path: string) => atLeast(version, laterFields[path] ?? 0)
  const { unknown, mismatches } = checkShape(value, v1alpha1Fields, isKnown)
  if (mismatches.length > 0) {
    return `yaml: unmarshal errors:\n${mismatches.map((line) => `  ${line}`).join('\n')}`
  }
  return unknown === undefined ? undefined : unknownKeys(unknown)
}

function unknownKeys(unknown: Record<string, unknown>): string {
  return `unknown keys found during decoding:\n${stringify(unknown)}`
}
