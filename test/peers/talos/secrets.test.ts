import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createAuthority } from '../../../src/talos/config/certificate-authority.ts'
import { generateSecretsBundle } from '../../../src/talos/config/generate-secrets-bundle.ts'
import { generateMachineConfig } from '../../../src/talos/config/machine-config.ts'
import { acceptNext, dropFormer, issueNext } from '../../../src/talos/config/replace-authority.ts'
import {
  formatSecretsBundle,
  parseSecretsBundle,
} from '../../../src/talos/config/secrets-bundle-yaml.ts'
import { formatTalosconfig, mintTalosCredentials } from '../../../src/talos/config/talosconfig.ts'
import { clusterSpec } from '../../plan/specs.ts'
import { fixedKeyMaker } from '../../talos/fixed-key-maker.ts'
import { clusterNode } from '../../talos/nodes.ts'
import { testPki } from '../../talos/pki-environment.ts'
import { type Machinery, startMachinery } from './machinery.ts'

let machinery: Machinery
beforeAll(async () => {
  machinery = await startMachinery()
})
afterAll(() => machinery[Symbol.asyncDispose]())

test('machinery finds our bundle valid, and would write the same file', async () => {
  const bundle = formatSecretsBundle(await generateSecretsBundle(testPki))
  expect(await machinery.ask({ op: 'read-bundle', bundle })).toEqual({ text: bundle })
})

test('machinery passes over a CA that is accepted besides, and takes the configs of each step', async () => {
  const former = await generateSecretsBundle(testPki)
  const next = await createAuthority('ed25519', { organizations: ['talos'] }, testPki)
  const accepting = acceptNext(former, next)
  const issuing = issueNext(accepting)
  for (const [secrets, plain] of [
    [accepting, former],
    [issuing, dropFormer(issuing)],
  ] as const) {
    const answer = await machinery.ask({ op: 'read-bundle', bundle: formatSecretsBundle(secrets) })
    expect(answer).toEqual({ text: formatSecretsBundle(plain) })
    for (const role of ['control-plane', 'worker'] as const) {
      const node = clusterNode({ role })
      const config = generateMachineConfig({ spec: clusterSpec(), node, secrets })
      const { error } = await machinery.ask({ op: 'validate', config, mode: 'cloud' })
      expect(error).toBeUndefined()
    }
  }
})

test.for(['v1.9', 'v1.13'])('we read the bundle that machinery makes for %s', async (contract) => {
  const { text = '' } = await machinery.ask({ op: 'make-bundle', cluster: { contract } })
  expect(formatSecretsBundle(parseSecretsBundle(text, fixedKeyMaker))).toBe(text)
})

test('machinery finds every secret again in the config of a control plane', async () => {
  const secrets = await generateSecretsBundle(testPki)
  const config = generateMachineConfig({ spec: clusterSpec(), node: clusterNode(), secrets })
  const { text } = await machinery.ask({ op: 'bundle-of', config })
  expect(text).toBe(formatSecretsBundle(secrets))
})

test('our talosconfig has the fields, and our certificate the form, of machinery’s own', async () => {
  const secrets = await generateSecretsBundle(testPki)
  const bundle = formatSecretsBundle(secrets)
  const { text = '' } = await machinery.ask({
    op: 'talosconfig-of',
    bundle,
    cluster: {
      name: 'demo',
      endpoint: 'https://10.0.32.254:6443',
      kubernetesVersion: '1.35.0',
      contract: 'v1.13',
    },
  })
  const credentials = await mintTalosCredentials(
    secrets,
    { roles: ['os:admin'], hours: 1 },
    testPki,
  )
  const ours = parse(formatTalosconfig('demo', [], credentials))
  const theirs = parse(text)
  expect(describeConfig(ours)).toEqual(describeConfig(theirs))
})

function describeConfig(config: {
  context: string
  contexts: Record<string, Record<string, unknown>>
}): unknown {
  const { ca, crt, key, ...rest } = config.contexts['demo'] ?? {}
  const certificate = new X509Certificate(Buffer.from(String(crt), 'base64'))
  const text = Buffer.from(String(key), 'base64').toString()
  return {
    context: config.context,
    rest,
    ca,
    subject: certificate.subject,
    issuer: certificate.issuer,
    usage: certificate.keyUsage,
    ca_: certificate.ca,
    kind: certificate.publicKey.asymmetricKeyType,
    label: text.split('\n')[0],
  }
}
