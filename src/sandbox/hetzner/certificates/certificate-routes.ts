import { X509Certificate } from 'node:crypto'
import { z } from 'zod'
import { invalidFields, refused } from '../api/api-error.ts'
import * as fields from '../api/fields.ts'
import { ensureNameFree, findRecord } from '../api/find-record.ts'
import { isAsked, list, listQuery } from '../api/list.ts'
import { type Call, get, post, put, type Route, remove } from '../api/route.ts'
import { formatTime } from '../labels.ts'
import type { CertificateRecord } from './certificate.ts'

/** Uploaded certificates only: the sandbox is no certificate authority for managed ones. */
export const certificateRoutes: Route[] = [
  get('/certificates', [...listQuery, 'type'], (call) => {
    const certificates = [...call.state.certificates.values()].filter((certificate) =>
      isAsked(call, 'type', certificate.type),
    )
    return list(call, 'certificates', certificates, (certificate) => render(call, certificate))
  }),
  get('/certificates/{id}', [], (call) => answer(call, findCertificate(call), 200)),
  post(
    '/certificates',
    z.strictObject({
      name: fields.resourceName,
      type: z.literal('uploaded').optional(),
      certificate: z.string(),
      private_key: z.string().max(5_120),
      labels: fields.labels.optional(),
    }),
    (call, body) => {
      const { state } = call
      const parsed = parse(body.certificate)
      if (parsed === undefined) throw invalidFields(['certificate'])
      ensureNameFree(state.certificates, body.name)
      const certificate: CertificateRecord = {
        id: state.nextId(),
        name: body.name,
        labels: body.labels ?? {},
        created: state.now(),
        type: 'uploaded',
        certificate: body.certificate,
        fingerprint: parsed.fingerprint256.toLowerCase(),
        domainNames: (parsed.subjectAltName ?? '')
          .split(', ')
          .filter((name) => name.startsWith('DNS:'))
          .map((name) => name.slice(4)),
        notValidBefore: Date.parse(parsed.validFrom),
        notValidAfter: Date.parse(parsed.validTo),
      }
      state.certificates.set(certificate.id, certificate)
      return answer(call, certificate, 201)
    },
  ),
  put(
    '/certificates/{id}',
    z.strictObject({ name: fields.resourceName.optional(), labels: fields.labels.optional() }),
    (call, body) => {
      const certificate = findCertificate(call)
      ensureNameFree(call.state.certificates, body.name, certificate.id)
      certificate.name = body.name ?? certificate.name
      certificate.labels = body.labels ?? certificate.labels
      return answer(call, certificate, 200)
    },
  ),
  remove('/certificates/{id}', (call) => {
    const certificate = findCertificate(call)
    if (usersOf(call, certificate).length > 0) {
      throw refused('resource_in_use', `certificate with ID ${certificate.id} is still in use`)
    }
    call.state.certificates.delete(certificate.id)
    return { status: 204 }
  }),
]

function usersOf({ state }: Call, { id }: CertificateRecord): { id: number; type: string }[] {
  return [...state.loadBalancers.values()]
    .filter(({ services }) => services.some(({ http }) => http?.certificates.includes(id)))
    .map((balancer) => ({ id: balancer.id, type: 'load_balancer' }))
}

function parse(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem)
  } catch {
    return undefined
  }
}

function findCertificate(call: Call): CertificateRecord {
  return findRecord(call.state.certificates, call.id, 'certificate')
}

function answer(call: Call, certificate: CertificateRecord, status: number) {
  const body = { certificate: render(call, certificate) }
  return { status, body: status === 201 ? { ...body, action: null } : body }
}

function render(call: Call, certificate: CertificateRecord): Record<string, unknown> {
  return {
    id: certificate.id,
    name: certificate.name,
    labels: certificate.labels,
    type: certificate.type,
    certificate: certificate.certificate,
    created: formatTime(certificate.created),
    not_valid_before: formatTime(certificate.notValidBefore),
    not_valid_after: formatTime(certificate.notValidAfter),
    domain_names: certificate.domainNames,
    fingerprint: certificate.fingerprint,
    status: null,
    used_by: usersOf(call, certificate),
  }
}
