import { isJsonObject } from '../../lib/json.ts'
import type { NamedSecrets } from '../../spec/secret-reference.ts'
import { yamlDocuments } from '../sops/yaml-documents.ts'
import { yamlText } from '../sops/yaml-text.ts'
import { stateCorrupt } from '../trust/state-damage.ts'

/** The document of the named secrets, `secrets: {name: value}`; undefined where there are none. */
export function namedSecretsText(values: Readonly<Record<string, string>>): string | undefined {
  const names = Object.keys(values).sort()
  if (names.length === 0) return undefined
  return yamlText([
    { secrets: Object.fromEntries(names.map((name) => [name, values[name] ?? ''])) },
  ])
}

/** Reads it. Throws `state-corrupt`. */
export function parseNamedSecrets(text: string, target: string): NamedSecrets {
  const secrets = yamlDocuments(text)[0]?.['secrets']
  if (!isJsonObject(secrets)) throw stateCorrupt(target, 'its named secrets cannot be read')
  return new Map(
    Object.entries(secrets).map(([name, value]) => {
      if (typeof value === 'string') return [name, value]
      throw stateCorrupt(target, 'a named secret of it is not a text')
    }),
  )
}
