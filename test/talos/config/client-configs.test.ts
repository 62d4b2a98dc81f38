import { X509Certificate } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { generateSecretsBundle } from '../../../src/talos/config/generate-secrets-bundle.ts'
import { mintKubeconfig } from '../../../src/talos/config/kubeconfig.ts'
import type { SecretsBundle } from '../../../src/talos/config/secrets-bundle.ts'
import { formatTalosconfig, mintTalosCredentials } from '../../../src/talos/config/talosconfig.ts'
import { testPki } from '../pki-environment.ts'

let secrets: SecretsBundle
beforeAll(async () => {
  secrets = await generateSecretsBundle(testPki)
})

test('a talosconfig names the cluster, its control planes and who may do what', async () => {
  const credentials = await mintTalosCredentials(
    secrets,
    { roles: ['os:reader'], hours: 1 },
    testPki,
  )
  const config = parse(formatTalosconfig('demo', ['203.0.113.1', '203.0.113.2'], credentials))
  expect(config.context).toBe('demo')
  const { endpoints, ca, crt, key } = config.contexts.demo
  expect(endpoints).toEqual(['203.0.113.1', '203.0.113.2'])
  expect(decode(ca)).toBe(secrets.certs.os.crt)
  expect(decode(key)).toMatch(/^-----BEGIN ED25519 PRIVATE KEY-----\n/)
  const certificate = new X509Certificate(decode(crt))
  expect(certificate.subject).toBe('O=os:reader')
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2'])
  expect(certificate.verify(new X509Certificate(decode(ca)).publicKey)).toBe(true)
})

test('a kubeconfig makes its holder an administrator for the hours that were asked', async () => {
  const options = { clusterName: 'demo', server: 'https://203.0.113.1:6443', hours: 3 }
  const config = parse(await mintKubeconfig(secrets, options, testPki))
  expect(config['current-context']).toBe('admin@demo')
  expect(config.contexts).toEqual([
    { name: 'admin@demo', context: { cluster: 'demo', namespace: 'default', user: 'admin@demo' } },
  ])
  const [{ cluster }] = config.clusters
  expect(cluster.server).toBe('https://203.0.113.1:6443')
  expect(decode(cluster['certificate-authority-data'])).toBe(secrets.certs.k8s.crt)
  const [{ user }] = config.users
  const certificate = new X509Certificate(decode(user['client-certificate-data']))
  expect(certificate.subject).toBe('O=system:masters\nCN=admin')
  expect(certificate.publicKey.asymmetricKeyType).toBe('ec')
  expect(certificate.verify(new X509Certificate(secrets.certs.k8s.crt).publicKey)).toBe(true)
  const length = certificate.validToDate.getTime() - certificate.validFromDate.getTime()
  expect(length).toBe(3 * 3_600_000 + 10_000)
})

function decode(base64: string): string {
  return Buffer.from(base64, 'base64').toString()
}
