import type { Json } from '../../../../lib/json.ts'
import { describeIdentity, documentIdentity } from '../../config-document.ts'
import type { ConfigPlace, Fault } from '../config-problem.ts'
import type { Rule } from '../config-view.ts'
import { isIpAddress } from '../forms/address.ts'
import { parseDuration } from '../forms/duration.ts'
import { documentKind } from '../known-fields.ts'
import {
  asText,
  hasElements,
  isSetAt,
  isTrueAt,
  listAt,
  mappingAt,
  textAt,
} from '../read-config.ts'

/** A link, an address, a volume has one document, whatever its kind. */
export const namesAreGivenOnce: Rule = (document, { documents, minor }) => {
  const { kind, name } = documentIdentity(document)
  const excludes = documentKind(kind, minor)?.excludes ?? []
  return documents
    .slice(0, documents.indexOf(document))
    .map(documentIdentity)
    .filter((other) => other.name === name && excludes.includes(other.kind))
    .map((other) => ({
      at: ['name'],
      message: `is the name of ${describeIdentity(other)} too, and there can be one of the two`,
      also: [{ kind: other.kind, name, path: ['name'] }],
    }))
}

export const hostnameIsGivenOnce: Rule = (_, { legacy }) => [
  ...(textAt(legacy, 'machine', 'network', 'hostname') === ''
    ? []
    : [clash('hostname', 'machine', 'network', 'hostname')]),
  ...(isTrueAt(legacy, 'machine', 'features', 'stableHostname')
    ? [clash('hostname', 'machine', 'features', 'stableHostname')]
    : []),
]

export const resolversAreGivenOnce: Rule = (_, { legacy }) => {
  const network = ['machine', 'network'] as const
  const isAddress = (each: Json) => isIpAddress(asText(each) ?? '')
  return [
    ...(isSetAt(legacy, ...network, 'searchDomains')
      ? [clash('searchDomains', ...network, 'searchDomains')]
      : []),
    ...(listAt(legacy, ...network, 'nameservers').some(isAddress)
      ? [clash('nameservers', ...network, 'nameservers')]
      : []),
    ...(isTrueAt(legacy, ...network, 'disableSearchDomain')
      ? [clash('searchDomains', ...network, 'disableSearchDomain')]
      : []),
  ]
}

/** Since 1.14 the resolver that each node has itself stands beside the name servers. */
export const hostDnsIsGivenOnce: Rule = (document, { legacy }) => {
  const isEmpty = Object.keys(mappingAt(document, 'hostDNS')).length === 0
  if (isEmpty || !isSetAt(legacy, 'machine', 'features', 'hostDNS')) return []
  return [clash('hostDNS', 'machine', 'features', 'hostDNS')]
}

export const timeIsGivenOnce: Rule = (_, { legacy }) => {
  const time = ['machine', 'time'] as const
  const timeout = parseDuration(textAt(legacy, ...time, 'bootTimeout')) ?? 0
  return [
    ...(isTrueAt(legacy, ...time, 'disabled') ? [clash('enabled', ...time, 'disabled')] : []),
    ...(hasElements(listAt(legacy, ...time, 'servers')) ? [clash('ntp', ...time, 'servers')] : []),
    ...(timeout === 0 ? [] : [clash('bootTimeout', ...time, 'bootTimeout')]),
  ]
}

export const kubeSpanIsGivenOnce: Rule = (_, { legacy }) =>
  isSetAt(legacy, 'machine', 'network', 'kubespan')
    ? [clash('enabled', 'machine', 'network', 'kubespan')]
    : []

const oldNames = new Map([
  ['STATE', 'state'],
  ['EPHEMERAL', 'ephemeral'],
])

/** Since 1.12; before, a document had the last word. */
export const encryptionIsGivenOnce: Rule = (document, { legacy, minor }) => {
  const old = oldNames.get(textAt(document, 'name'))
  if (minor < 12 || old === undefined || !isEncrypted(document)) return []
  if (!isSetAt(legacy, 'machine', 'systemDiskEncryption', old)) return []
  return [clash('encryption', 'machine', 'systemDiskEncryption', old)]
}

function isEncrypted(document: Json): boolean {
  const provider = textAt(document, 'encryption', 'provider').toLowerCase()
  return !['', 'none'].includes(provider)
}

function clash(field: string, ...old: readonly string[]): Fault {
  const also: ConfigPlace[] = [{ kind: '', name: '', path: old }]
  return {
    at: [field],
    message: `and ${old.join('.')} exclude each other`,
    hint: `Set it in the document, and leave ${old.join('.')} out.`,
    also,
  }
}
