import { X509Certificate } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { seededRandom } from '../../../src/lib/random.ts'
import { generateSecretsBundle } from '../../../src/talos/config/generate-secrets-bundle.ts'
import { type SecretsBundle, secretLeaves } from '../../../src/talos/config/secrets-bundle.ts'
import {
  formatSecretsBundle,
  parseSecretsBundle,
} from '../../../src/talos/config/secrets-bundle-yaml.ts'
import { fixedKeyMaker } from '../fixed-key-maker.ts'
import { testPki } from '../pki-environment.ts'

let bundle: SecretsBundle
let text: string
beforeAll(async () => {
  bundle = await generateSecretsBundle(testPki)
  text = formatSecretsBundle(bundle)
})

test('a bundle has the authorities that talosctl makes', () => {
  const { os, etcd, k8s, k8sAggregator } = bundle.certs
  const facts = [os, etcd, k8s, k8sAggregator].map(({ crt, key }) => {
    const certificate = new X509Certificate(crt)
    return [certificate.subject, certificate.publicKey.asymmetricKeyType, key.split('\n')[0]]
  })
  expect(facts).toEqual([
    ['O=talos', 'ed25519', '-----BEGIN ED25519 PRIVATE KEY-----'],
    ['O=etcd', 'ec', '-----BEGIN EC PRIVATE KEY-----'],
    ['O=kubernetes', 'ec', '-----BEGIN EC PRIVATE KEY-----'],
    [undefined, 'ec', '-----BEGIN EC PRIVATE KEY-----'],
  ])
  expect(bundle.certs.k8sServiceAccount.key).toMatch(/^-----BEGIN RSA PRIVATE KEY-----\n/)
})

test('tokens have their form, whatever the randomness', async () => {
  for (let seed = 1; seed < 6; seed++) {
    const made = await generateSecretsBundle({ ...testPki, random: seededRandom(seed) })
    expect(made.secrets.bootstrapToken).toMatch(/^[a-z0-9]{6}\.[a-z0-9]{16}$/)
    expect(made.trustdInfo.token).toMatch(/^[a-z0-9]{6}\.[a-z0-9]{16}$/)
    expect(made.trustdInfo.token).not.toBe(made.secrets.bootstrapToken)
    expect(made.cluster.id).toMatch(/^[A-Za-z0-9_-]{43}=$/)
    expect(Buffer.from(made.cluster.secret, 'base64')).toHaveLength(32)
  }
})

test('what is written is read again, to the byte', () => {
  const again = parseSecretsBundle(text, fixedKeyMaker)
  expect(again).toEqual(bundle)
  expect(formatSecretsBundle(again)).toBe(text)
})

test('the file has the names, the nesting and the indentation of talosctl', () => {
  expect(text.split('\n').map((line) => line.replace(/: .*/, ':'))).toEqual([
    'cluster:',
    '    id:',
    '    secret:',
    'secrets:',
    '    bootstraptoken:',
    '    secretboxencryptionsecret:',
    'trustdinfo:',
    '    token:',
    'certs:',
    '    etcd:',
    '        crt:',
    '        key:',
    '    k8s:',
    '        crt:',
    '        key:',
    '    k8saggregator:',
    '        crt:',
    '        key:',
    '    k8sserviceaccount:',
    '        key:',
    '    os:',
    '        crt:',
    '        key:',
    '',
  ])
})

test('the capitalised JSON of other tools is read too', () => {
  const { cluster, secrets, trustdinfo, certs } = parse(text)
  const capital = (pair: { crt?: string; key: string }) => ({ Crt: pair.crt, Key: pair.key })
  const json = JSON.stringify({
    Cluster: { Id: cluster.id, Secret: cluster.secret },
    Secrets: {
      BootstrapToken: secrets.bootstraptoken,
      SecretboxEncryptionSecret: secrets.secretboxencryptionsecret,
    },
    TrustdInfo: { Token: trustdinfo.token },
    Certs: {
      Etcd: capital(certs.etcd),
      K8s: capital(certs.k8s),
      K8sAggregator: capital(certs.k8saggregator),
      K8sServiceAccount: capital(certs.k8sserviceaccount),
      OS: capital(certs.os),
    },
  })
  expect(parseSecretsBundle(json, fixedKeyMaker)).toEqual(bundle)
})

test('a token that looks like a number stays a text', () => {
  const numeric = { ...bundle, trustdInfo: { token: '123456.0123456789012345' } }
  expect(parseSecretsBundle(formatSecretsBundle(numeric), fixedKeyMaker)).toEqual(numeric)
})

test('every mistake is told at once, and no secret with it', () => {
  const broken = parse(text)
  delete broken.cluster.secret
  broken.secrets.bootstraptoken = 'not-a-token'
  broken.secrets.aescbcencryptionsecret = 'c2VjcmV0'
  broken.certs.etcd.key = broken.certs.k8s.key
  broken.certs.os.crt = 'bm8gY2VydGlmaWNhdGU='
  const message = messageOf(() => parseSecretsBundle(stringify(broken), fixedKeyMaker))
  expect(message).toContain('cluster.secret is missing')
  expect(message).toContain('secrets.bootstraptoken must look like')
  expect(message).toContain('exactly one of secretboxencryptionsecret and aescbcencryptionsecret')
  expect(message).toContain('certs.etcd.key does not belong to certs.etcd.crt')
  expect(message).toContain('certs.os.crt is not a certificate')
  expect(message).not.toContain('not-a-token')
})

test.for(['', 'a: [', '- 1', 'a: 1\na: 2', 'a: *b', '{}'])('%j is no bundle', (input) => {
  expect(() => parseSecretsBundle(input, fixedKeyMaker)).toThrow('the secrets bundle is not valid')
})

test('the leaves that must not be shown are all that could be used', () => {
  const leaves = secretLeaves(bundle)
  expect(leaves).toHaveLength(9)
  const shown = leaves.reduce(
    (rest, leaf) => rest.replaceAll(leaf, '').replaceAll(Buffer.from(leaf).toString('base64'), ''),
    text,
  )
  const left = parse(shown)
  expect(Object.keys(left.certs).filter((name) => left.certs[name].key)).toEqual([])
  expect([left.secrets, left.trustdinfo, left.cluster.secret]).toEqual([
    { bootstraptoken: null, secretboxencryptionsecret: null },
    { token: null },
    null,
  ])
})

function messageOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    return String(error)
  }
  return 'it did not throw'
}
