import { parseAllDocuments } from 'yaml'
import { isJsonObject, type JsonObject } from '../../../src/lib/json.ts'
import type { HostSpec, HostsSpec } from '../../../src/spec/hosts/hosts-spec.ts'
import { loadHostsSpec } from '../../../src/spec/hosts/load-hosts-spec.ts'
import { hostsFile } from '../../spec/hosts/hosts-file.ts'

/** The spec of a file of hosts. */
export function rackSpec(text = hostsFile): HostsSpec {
  const { spec, findings } = loadHostsSpec(text)
  if (spec === undefined) throw new Error(findings.map(({ message }) => message).join('\n'))
  return spec
}

export function hostNamed(spec: HostsSpec, name: string): HostSpec {
  const host = spec.hosts.find((one) => one.name === name)
  if (host === undefined) throw new Error(`no host ${name}`)
  return host
}

/** The documents of a rendered text by their kinds, as a reader of YAML 1.1 understands them. */
export function documentsOf(text: string): ReadonlyMap<string, JsonObject> {
  const documents = parseAllDocuments(text, { version: '1.1' })
  return new Map(
    (Array.isArray(documents) ? documents : []).map((document) => {
      const value: unknown = document.toJS()
      if (document.errors.length > 0 || !isJsonObject(value)) throw new Error(text)
      return [String(value['kind']), value]
    }),
  )
}

export const material = {
  token: { id: 'abcdef', secret: '0123456789abcdef' },
  certificateKey: 'e6'.repeat(32),
}
