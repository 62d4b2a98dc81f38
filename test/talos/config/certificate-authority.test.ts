import { X509Certificate } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  createAuthority,
  createClientCertificate,
} from '../../../src/talos/config/certificate-authority.ts'
import { testPki } from '../pki-environment.ts'

const hour = 3_600_000
const kinds = ['ed25519', 'ecdsa-p256', 'rsa-4096'] as const

describe.for(kinds)('a certificate authority with a %s key', (kind) => {
  test('is a CA for ten years that signed itself', async () => {
    const ca = await createAuthority(kind, { organizations: ['talos'] }, testPki)
    const certificate = new X509Certificate(ca.crt)
    expect(certificate.ca).toBe(true)
    expect(certificate.subject).toBe('O=talos')
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'])
    expect(certificate.serialNumber).toHaveLength(32)
    const years = certificate.validToDate.getTime() - certificate.validFromDate.getTime()
    expect(years).toBe(87_600 * hour)
  })

  test('signs client certificates of any kind, good for clients alone and for hours', async () => {
    const ca = await createAuthority(kind, { organizations: [] }, testPki)
    const authority = new X509Certificate(ca.crt)
    for (const clientKind of ['ed25519', 'ecdsa-p256'] as const) {
      const { crt } = await createClientCertificate(
        ca,
        {
          subject: { organizations: ['os:admin', 'os:reader'], commonName: 'somebody' },
          kind: clientKind,
          keyUsage: ['digitalSignature'],
          hours: 2,
        },
        testPki,
      )
      const certificate = new X509Certificate(crt)
      expect(certificate.checkIssued(authority)).toBe(true)
      expect(certificate.verify(authority.publicKey)).toBe(true)
      expect(certificate.ca).toBe(false)
      expect(certificate.subject).toBe('O=os:admin\nO=os:reader\nCN=somebody')
      expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2'])
      const length = certificate.validToDate.getTime() - certificate.validFromDate.getTime()
      expect(length).toBe(2 * hour + 10_000)
    }
  })
})

test('an authority without a subject has an empty name, not a missing one', async () => {
  const { crt } = await createAuthority('ecdsa-p256', { organizations: [] }, testPki)
  expect(new X509Certificate(crt).subject).toBeUndefined()
})

test('two certificates never share a serial number', async () => {
  const make = () => createAuthority('ecdsa-p256', { organizations: ['etcd'] }, testPki)
  const [a, b] = await Promise.all([make(), make()])
  expect(new X509Certificate(a.crt).serialNumber).not.toBe(new X509Certificate(b.crt).serialNumber)
})

test('an authority that cannot be read is an error that quotes nothing', async () => {
  const broken = { crt: 'nonsense', key: 'private nonsense' }
  const options = {
    subject: { organizations: [] },
    kind: 'ed25519',
    keyUsage: ['digitalSignature'],
    hours: 1,
  } as const
  const failure = createClientCertificate(broken, options, testPki)
  await expect(failure).rejects.toMatchObject({ code: 'secrets-invalid' })
  await expect(failure).rejects.not.toThrow(/nonsense/)
})
