import { X509Certificate } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import {
  type CertificateAndKey,
  createAuthority,
} from '../../../src/talos/config/certificate-authority.ts'
import { generateSecretsBundle } from '../../../src/talos/config/generate-secrets-bundle.ts'
import { generateMachineConfig } from '../../../src/talos/config/machine-config.ts'
import {
  acceptNext,
  dropFormer,
  issueNext,
  replacementStep,
} from '../../../src/talos/config/replace-authority.ts'
import { type SecretsBundle, secretLeaves } from '../../../src/talos/config/secrets-bundle.ts'
import {
  formatSecretsBundle,
  parseSecretsBundle,
} from '../../../src/talos/config/secrets-bundle-yaml.ts'
import { mintTalosCredentials } from '../../../src/talos/config/talosconfig.ts'
import { clusterSpec } from '../../plan/specs.ts'
import { fixedKeyMaker } from '../fixed-key-maker.ts'
import { clusterNode } from '../nodes.ts'
import { testPki } from '../pki-environment.ts'

let former: SecretsBundle
let next: CertificateAndKey
let accepting: SecretsBundle
let issuing: SecretsBundle

beforeAll(async () => {
  former = await generateSecretsBundle(testPki)
  next = await createAuthority('ed25519', { organizations: ['talos'] }, testPki)
  accepting = acceptNext(former, next)
  issuing = issueNext(accepting)
})

function machineOf(secrets: SecretsBundle, role: 'control-plane' | 'worker') {
  const text = generateMachineConfig({ spec: clusterSpec(), node: clusterNode({ role }), secrets })
  const { machine } = parse(text.split('\n---')[0] ?? '')
  const decode = (base64: string) => Buffer.from(base64, 'base64').toString()
  return {
    ca: decode(machine.ca.crt),
    key: decode(machine.ca.key),
    accepted: (machine.acceptedCAs ?? []).map(({ crt }: { crt: string }) => decode(crt)),
  }
}

test('the CA is replaced in three steps, and each of them is one that can be told from the bundle', () => {
  expect([former, accepting, issuing, dropFormer(issuing)].map(replacementStep)).toEqual([
    'none',
    'accepting',
    'issuing',
    'none',
  ])
  expect(dropFormer(issuing)).toEqual({ ...former, certs: { ...former.certs, os: next } })
  expect(() => issueNext(former)).toThrow('step none')
  expect(() => acceptNext(accepting, next)).toThrow('step accepting')
  expect(() => dropFormer(accepting)).toThrow('step accepting')
})

test('nodes get the CA that issues and the one that they accept, workers no key of either', () => {
  const { crt, key } = former.certs.os
  const steps = { former, accepting, issuing }
  const wanted = {
    former: { ca: crt, key, accepted: [] },
    accepting: { ca: crt, key, accepted: [next.crt] },
    issuing: { ca: next.crt, key: next.key, accepted: [crt] },
  }
  for (const step of ['former', 'accepting', 'issuing'] as const) {
    expect(machineOf(steps[step], 'control-plane')).toEqual(wanted[step])
    expect(machineOf(steps[step], 'worker')).toEqual({ ...wanted[step], key: '' })
  }
})

test('the key of the former CA is kept nowhere once it issues nothing', () => {
  expect(secretLeaves(accepting)).toEqual(expect.arrayContaining([former.certs.os.key, next.key]))
  expect(JSON.stringify(issuing)).not.toContain(JSON.stringify(former.certs.os.key).slice(1, -1))
})

test('each step is written and read again, to the byte', () => {
  for (const bundle of [former, accepting, issuing]) {
    const text = formatSecretsBundle(bundle)
    expect(parseSecretsBundle(text, fixedKeyMaker)).toEqual(bundle)
    expect(formatSecretsBundle(parseSecretsBundle(text, fixedKeyMaker))).toBe(text)
  }
  const broken = formatSecretsBundle(issuing).replace(/(osaccepted:\s+crt: )\S+/, '$1QUJD')
  expect(() => parseSecretsBundle(broken, fixedKeyMaker)).toThrow('osaccepted.crt')
})

test('clients are of the CA that issues, and believe nodes of both', async () => {
  for (const [bundle, issuer] of [
    [accepting, former.certs.os.crt],
    [issuing, next.crt],
  ] as const) {
    const credentials = await mintTalosCredentials(
      bundle,
      { roles: ['os:admin'], hours: 1 },
      testPki,
    )
    const { publicKey } = new X509Certificate(issuer)
    expect(new X509Certificate(credentials.crt).verify(publicKey)).toBe(true)
    expect(credentials.ca.match(/BEGIN CERTIFICATE/g)).toHaveLength(2)
  }
})
