import type { JsonObject } from '../../lib/json.ts'

/** One document of a machine config. */
export type ConfigDocument = JsonObject

/** What identifies a document: the v1alpha1 one has neither kind nor apiVersion. */
export interface DocumentIdentity {
  readonly apiVersion: string
  /** Empty for the v1alpha1 document. */
  readonly kind: string
  readonly name: string
}

export function documentIdentity(document: ConfigDocument): DocumentIdentity {
  return {
    apiVersion: text(document['apiVersion']),
    kind: text(document['kind']),
    name: text(document['name']),
  }
}

export function sameIdentity(a: DocumentIdentity, b: DocumentIdentity): boolean {
  return a.apiVersion === b.apiVersion && a.kind === b.kind && a.name === b.name
}

/** `HostnameConfig`, `LinkConfig eth1`, or `the machine config` for the v1alpha1 document. */
export function describeIdentity({ kind, name }: DocumentIdentity): string {
  if (kind === '') return 'the machine config'
  return name === '' ? kind : `${kind} ${name}`
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
