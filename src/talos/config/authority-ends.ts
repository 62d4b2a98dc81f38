import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts'
import { decodeText } from './base64.ts'
import { readCertificate } from './certificate.ts'
import { oldView } from './reshape/old-view.ts'
import type { SecretsBundle } from './secrets-bundle.ts'

/** The authorities of a cluster, by the field of a machine config that holds the certificate of each. */
const authorityFields = {
  'machine.ca.crt': 'the CA of the Talos API',
  'cluster.ca.crt': 'the CA of Kubernetes',
  'cluster.aggregatorCA.crt': 'the CA of the aggregation layer',
  'cluster.etcd.ca.crt': 'the CA of etcd',
} as const
export type AuthorityField = keyof typeof authorityFields

/** When an authority ends, and with it all that it ever issued. */
export interface AuthorityEnd {
  readonly field: AuthorityField
  readonly name: string
  /** Milliseconds since the epoch. */
  readonly notAfter: number
}

/** When the authorities that a machine config names end; those that cannot be read are left out. */
export function authorityEnds(documents: readonly JsonObject[]): AuthorityEnd[] {
  const view = oldView(documents)
  return fields().flatMap((field) => {
    const text = at(view, field.split('.'))
    const end = typeof text === 'string' ? endOf(decodeText(text)) : undefined
    return end === undefined ? [] : [{ field, name: authorityFields[field], notAfter: end }]
  })
}

/** The same by the secrets of the cluster. */
export function bundleEnds({ certs }: SecretsBundle): AuthorityEnd[] {
  const held = {
    'machine.ca.crt': certs.os,
    'cluster.ca.crt': certs.k8s,
    'cluster.aggregatorCA.crt': certs.k8sAggregator,
    'cluster.etcd.ca.crt': certs.etcd,
  } as const satisfies Record<AuthorityField, { readonly crt: string }>
  return fields().flatMap((field) => {
    const end = endOf(held[field].crt)
    return end === undefined ? [] : [{ field, name: authorityFields[field], notAfter: end }]
  })
}

function fields(): AuthorityField[] {
  return ['machine.ca.crt', 'cluster.ca.crt', 'cluster.aggregatorCA.crt', 'cluster.etcd.ca.crt']
}

function endOf(pem: string | undefined): number | undefined {
  return pem === undefined ? undefined : readCertificate(pem)?.notAfter
}

function at(value: Json | undefined, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (inner, key) => (isJsonObject(inner) ? inner[key] : undefined),
    value,
  )
}
