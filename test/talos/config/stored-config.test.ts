import { beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/lib/json.ts'
import { seededRandom } from '../../../src/lib/random.ts'
import type { ClusterNode } from '../../../src/plan/cluster-node.ts'
import { machineConfigSecrets } from '../../../src/plan/config-secrets.ts'
import type { ClusterSpec } from '../../../src/spec/cluster-spec.ts'
import { readableDocuments } from '../../../src/store/readable-documents.ts'
import { encryptSops } from '../../../src/store/sops/encrypt-sops.ts'
import { configDigest, publicConfig } from '../../../src/talos/config/config-digest.ts'
import { generateSecretsBundle } from '../../../src/talos/config/generate-secrets-bundle.ts'
import { machineConfigDocuments } from '../../../src/talos/config/machine-config.ts'
import type { SecretsBundle } from '../../../src/talos/config/secrets-bundle.ts'
import { diffStoredConfig } from '../../../src/talos/config/stored-config.ts'
import { clusterSpec } from '../../plan/specs.ts'
import { clusterNode } from '../nodes.ts'
import { testPki } from '../pki-environment.ts'

const recipient = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'
const loadBalancerPublicIp = '203.0.113.5'
let secrets: SecretsBundle
beforeAll(async () => {
  secrets = await generateSecretsBundle(testPki)
})

function patched(...patches: string[]): ClusterSpec {
  const spec = clusterSpec()
  return { ...spec, talos: { ...spec.talos, patches } }
}

/** What a plan without a key says of a node that was configured from one spec, when the file has another. */
async function planned(from: ClusterSpec, to: ClusterSpec, node: ClusterNode) {
  const addresses = { loadBalancerPublicIp }
  const applied = machineConfigDocuments({ spec: from, node, secrets, addresses, vipToken: 'x' })
  const documents: JsonObject[] = JSON.parse(JSON.stringify(applied))
  const sealed = await encryptSops(documents, {
    recipients: [recipient],
    encryptedRegex: machineConfigSecrets,
    random: seededRandom(1),
    now: 0,
  })
  const stored = readableDocuments(Buffer.from(sealed)) ?? []
  expect(JSON.stringify(stored)).not.toContain(secrets.secrets.bootstrapToken)
  return diffStoredConfig(
    { documents: stored, digest: configDigest(from, node) },
    publicConfig(to, node, addresses),
    addresses,
  )
}

const nodes = [clusterNode(), clusterNode({ role: 'worker' })]

describe('without a key', () => {
  it('a config that was made from the same spec has no difference, whatever its secrets are', async () => {
    for (const node of nodes) {
      expect(await planned(clusterSpec(), clusterSpec(), node)).toEqual([])
      const secretive = patched('machine: {env: {HTTPS_PROXY: "http://a:b@c"}}')
      expect(await planned(secretive, secretive, node)).toEqual([])
    }
  })

  it('a field that anybody may see is told with both of its values', async () => {
    const [from, to] = [
      patched('machine: {sysctls: {a: "1"}, env: {A: x}}'),
      patched('machine: {sysctls: {a: "2"}, env: {A: x}}'),
    ]
    for (const node of nodes) {
      expect(await planned(from, to, node)).toEqual([
        { path: 'machine.sysctls.a', before: '1', after: '2', effect: 'live', restarts: [] },
      ])
    }
  })

  it('a secret that differs is told as such, and may take a reboot', async () => {
    const [from, to] = [patched('machine: {env: {A: x}}'), patched('machine: {env: {A: y}}')]
    for (const node of nodes) {
      expect(await planned(from, to, node)).toEqual([
        expect.objectContaining({ path: 'a secret value', effect: 'reboot', restarts: [] }),
      ])
    }
  })

  it('a secret that is new is named', async () => {
    const differences = await planned(
      clusterSpec(),
      patched('machine: {env: {A: y}}'),
      clusterNode(),
    )
    expect(differences).toEqual([
      {
        path: 'machine.env.A',
        before: undefined,
        after: '(hidden)',
        effect: 'reboot',
        restarts: [],
      },
    ])
  })

  it('encryption of disks takes a node that is made anew, under each contract', async () => {
    for (const version of ['v1.9.0', 'v1.10.9', 'v1.11.6', 'v1.12.4', 'v1.13.9']) {
      const from = { ...clusterSpec(), talos: { ...clusterSpec().talos, version } }
      const to = { ...from, talos: { ...from.talos, diskEncryption: true } }
      const effects = (await planned(from, to, clusterNode())).map(({ effect }) => effect)
      expect(effects, version).toContain('reinstall')
    }
  })
})
