import { beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/lib/json.ts'
import { seededRandom } from '../../../src/lib/random.ts'
import type { ClusterNode } from '../../../src/plan/cluster-node.ts'
import { machineConfigSecrets } from '../../../src/plan/config-secrets.ts'
import type { ClusterSpec } from '../../../src/spec/cluster-spec.ts'
import { readableDocuments } from '../../../src/store/files/readable-documents.ts'
import { encryptSops } from '../../../src/store/sops/encrypt-sops.ts'
import { configDigest, configMarks, publicConfig } from '../../../src/talos/config/config-digest.ts'
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

const fieldsOf = (spec: ClusterSpec, node: ClusterNode) =>
  configMarks(spec, node).hiddenFields ?? {}

/** What a plan without a key says of a node that was configured from one spec, when the file has another. */
async function planned(from: ClusterSpec, to: ClusterSpec, node: ClusterNode, recorded = true) {
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
    {
      documents: stored,
      digest: configDigest(from, node),
      ...(recorded && { fields: fieldsOf(from, node) }),
    },
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

  it('what is encrypted on the branch and differs is named, with what takes it up', async () => {
    const [from, to] = [patched('machine: {env: {A: x}}'), patched('machine: {env: {A: y}}')]
    for (const node of nodes) {
      expect(await planned(from, to, node)).toEqual([
        { path: 'machine.env.A', before: 'x', after: 'y', effect: 'reboot', restarts: [] },
      ])
      // Where the state did not record it, the field is not known.
      expect(await planned(from, to, node, false)).toEqual([
        expect.objectContaining({ path: 'a secret value', effect: 'reboot', restarts: [] }),
      ])
    }
  })

  it('an inline manifest is applied live, and what it holds is not shown', async () => {
    const manifest = (token: string) =>
      patched(
        JSON.stringify({
          cluster: {
            inlineManifests: [
              { name: 'x', contents: `kind: Secret\nstringData:\n  a: ${token}\n` },
            ],
          },
        }),
      )
    const [difference, ...others] = await planned(manifest('one'), manifest('two'), clusterNode())
    expect(others).toEqual([])
    expect(difference).toMatchObject({
      path: 'cluster.inlineManifests[x].contents',
      before: '(hidden)',
      after: expect.stringMatching(/^\(text of 3 lines, [0-9a-f]{8}\)$/),
      effect: 'live',
    })
  })

  it('the key of a taint is a name', async () => {
    const tainted = (key: string) =>
      clusterNode({ role: 'worker', taints: [{ key, effect: 'NoSchedule' }] })
    const spec = clusterSpec()
    const [former, next] = [tainted('example.com/a'), tainted('example.com/b')]
    const marks = configMarks(spec, former)
    const differences = diffStoredConfig(
      {
        documents: publicConfig(spec, former),
        digest: marks.configDigest ?? '',
        fields: marks.hiddenFields ?? {},
      },
      publicConfig(spec, next),
    )
    expect(differences).toEqual([
      expect.objectContaining({
        path: 'machine.kubelet.extraConfig.registerWithTaints',
        before: [{ key: 'example.com/a', effect: 'NoSchedule' }],
        after: [{ key: 'example.com/b', effect: 'NoSchedule' }],
      }),
    ])
  })

  it.each([
    [
      'machine.logging.destinations',
      '[{endpoint: "https://in.example/v1?api-key=CANARY", format: json_lines}]',
    ],
    [
      'machine.logging.destinations',
      '[{endpoint: "https://in.example/", format: json_lines, extraTags: {ingest_key: CANARY}}]',
    ],
    ['machine.env', '{HTTPS_PROXY: "http://user:CANARY@proxy.example"}'],
    ['machine.env', '{AUTH_KEY: CANARY}'],
    ['machine.sysctls', '{a: ghp_CANARY0123456789abcdef}'],
    ['machine.registries.config', '{ghcr.io: {auth: {username: u, password: CANARY}}}'],
    ['cluster.extraManifestHeaders', '{Authorization: CANARY}'],
    ['cluster.apiServer.extraArgs', '{x-token: CANARY}'],
  ])('what looks like a secret is hidden: %s %s', async (path, value) => {
    const patchWith = (canary: string) => {
      const nested = path.split('.').reduceRight((inner, key) => `{${key}: ${inner}}`, value)
      return patched(nested.replaceAll('CANARY', canary))
    }
    const [from, to] = [patchWith('xqzCanary7731'), patchWith('yqzCanary7732')]
    for (const all of [
      await planned(from, to, clusterNode()),
      await planned(from, to, clusterNode(), false),
      await planned(clusterSpec(), to, clusterNode()),
      await planned(from, clusterSpec(), clusterNode()),
    ]) {
      expect(all).not.toEqual([])
      expect(JSON.stringify(all)).not.toContain('Canary')
    }
    expect(JSON.stringify(fieldsOf(to, clusterNode()))).not.toContain('Canary')
  })

  it('manifests and headers in documents of Talos 1.14 are encrypted on the branch', async () => {
    const document = (kind: string, fields: JsonObject) => ({
      ...{ apiVersion: 'v1alpha1', kind, name: 'a.example' },
      ...fields,
    })
    const documents = [
      document('KubeInlineManifestConfig', { manifest: 'stringData: {password: xqzCanary7731}' }),
      document('KubeExternalManifestConfig', { headers: { Authorization: 'xqzCanary7732' } }),
    ]
    const sealed = await encryptSops(documents, {
      recipients: [recipient],
      encryptedRegex: machineConfigSecrets,
      random: seededRandom(1),
      now: 0,
    })
    expect(sealed).toContain('KubeInlineManifestConfig')
    expect(sealed).not.toContain('Canary')
  })

  it('encryption of disks takes a node that is recreated, under each contract', async () => {
    for (const version of ['v1.9.0', 'v1.10.9', 'v1.11.6', 'v1.12.4', 'v1.13.9']) {
      const from = { ...clusterSpec(), talos: { ...clusterSpec().talos, version } }
      const to = { ...from, talos: { ...from.talos, diskEncryption: true } }
      const effects = (await planned(from, to, clusterNode())).map(({ effect }) => effect)
      expect(effects, version).toContain('reinstall')
    }
  })
})
