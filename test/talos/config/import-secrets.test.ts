import { beforeAll, describe, expect, test } from 'vitest'
import type { ClusterSpec } from '../../../src/spec/cluster-spec.ts'
import { generateSecretsBundle } from '../../../src/talos/config/generate-secrets-bundle.ts'
import { importSecrets, secretsOfMachineConfig } from '../../../src/talos/config/import-secrets.ts'
import { generateMachineConfig } from '../../../src/talos/config/machine-config.ts'
import { type SecretsBundle, secretLeaves } from '../../../src/talos/config/secrets-bundle.ts'
import { formatSecretsBundle } from '../../../src/talos/config/secrets-bundle-yaml.ts'
import { clusterSpec } from '../../plan/specs.ts'
import { fixedKeyMaker } from '../fixed-key-maker.ts'
import { clusterNode } from '../nodes.ts'
import { testPki } from '../pki-environment.ts'

let secrets: SecretsBundle
beforeAll(async () => {
  secrets = await generateSecretsBundle(testPki)
})

const spec = (version: string): ClusterSpec => {
  const base = clusterSpec()
  return { ...base, talos: { ...base.talos, version } }
}
const node = clusterNode()

describe.for(['v1.9.0', 'v1.10.9', 'v1.11.6', 'v1.12.4', 'v1.13.9'])('of Talos %s', (version) => {
  test('the machine config of a control plane holds every secret of its cluster', () => {
    const text = generateMachineConfig({ spec: spec(version), node, secrets })
    expect(secretsOfMachineConfig(text, fixedKeyMaker)).toEqual(secrets)
    expect(importSecrets(text, fixedKeyMaker)).toEqual(secrets)
  })

  test('that of a worker does not, and says so', () => {
    const worker = clusterNode({ role: 'worker' })
    const text = generateMachineConfig({ spec: spec(version), node: worker, secrets })
    expect(() => importSecrets(text, fixedKeyMaker)).toThrow('workers have no keys')
  })
})

test('a bundle of talosctl is imported as it is, in YAML and in the JSON of other tools', () => {
  const text = formatSecretsBundle(secrets)
  expect(importSecrets(text, fixedKeyMaker)).toEqual(secrets)
})

test('an old cluster keeps the key with which it encrypts', () => {
  const { secretboxEncryptionSecret: aescbcEncryptionSecret, ...others } = secrets.secrets
  const old: SecretsBundle = { ...secrets, secrets: { ...others, aescbcEncryptionSecret } }
  const text = generateMachineConfig({ spec: spec('v1.13.9'), node, secrets: old })
  expect(secretsOfMachineConfig(text, fixedKeyMaker)).toEqual(old)
})

test('one that is cut off or changed is refused with what is wrong, and no secret is told', () => {
  const text = generateMachineConfig({ spec: spec('v1.13.9'), node, secrets })
  const spoilt = [
    text.replace(/^ {4}ca:\n( {8}.*\n)+/gm, ''),
    text.replace(/^( {4}token: ).*$/gm, '$1wrong'),
    text.replace(/^( {12,}key: ).*$/gm, '$1AAAA'),
    'cluster: [',
    '',
  ]
  for (const each of spoilt) {
    const importIt = () => secretsOfMachineConfig(each, fixedKeyMaker)
    expect(importIt).toThrow(expect.objectContaining({ code: 'secrets-invalid' }))
    for (const leaf of secretLeaves(secrets)) {
      expect(importIt).not.toThrow(
        expect.objectContaining({ message: expect.stringContaining(leaf) }),
      )
    }
  }
})
