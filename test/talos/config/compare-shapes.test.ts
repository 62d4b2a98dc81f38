import { beforeAll, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../../src/lib/json.ts'
import { seededRandom } from '../../../src/lib/random.ts'
import { machineConfigSecrets } from '../../../src/plan/config-secrets.ts'
import type { ClusterSpec } from '../../../src/spec/cluster-spec.ts'
import { readableDocuments } from '../../../src/store/files/readable-documents.ts'
import { encryptSops } from '../../../src/store/sops/encrypt-sops.ts'
import { configMarks, publicConfig } from '../../../src/talos/config/config-digest.ts'
import type { ConfigDocument } from '../../../src/talos/config/config-document.ts'
import { type ConfigDifference, diffConfigs } from '../../../src/talos/config/diff-configs.ts'
import { generateSecretsBundle } from '../../../src/talos/config/generate-secrets-bundle.ts'
import { machineConfigDocuments } from '../../../src/talos/config/machine-config.ts'
import { reshapeConfig } from '../../../src/talos/config/reshape/reshape-config.ts'
import type { SecretsBundle } from '../../../src/talos/config/secrets-bundle.ts'
import { diffStoredConfig } from '../../../src/talos/config/stored-config.ts'
import { clusterSpec } from '../../plan/specs.ts'
import { clusterNode } from '../nodes.ts'
import { testPki } from '../pki-environment.ts'

const recipient = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'
let secrets: SecretsBundle
beforeAll(async () => {
  secrets = await generateSecretsBundle(testPki)
})

const roles = ['control-plane', 'worker'] as const
type Role = (typeof roles)[number]
const base = clusterSpec()
const specOf = (...patches: Json[]): ClusterSpec =>
  clusterSpec({
    talos: {
      ...base.talos,
      version: 'v1.14.1',
      contract: 'v1.13',
      patches: patches.map((patch) => JSON.stringify(patch)),
    },
  })
const oldConfig = (role: Role, ...patches: Json[]) =>
  machineConfigDocuments({ spec: specOf(...patches), node: clusterNode({ role }), secrets })
const effectsOf = (differences: readonly ConfigDifference[]) =>
  Object.fromEntries(differences.map(({ path, effect }) => [path, effect]))

/** What the contract v1.14 brings by itself. */
const additions = {
  FilesystemTrimConfig: 'live',
  'FilesystemTrimConfig.interval': 'live',
  SecurityProfileConfig: 'reboot',
  'SecurityProfileConfig.workloadIsolation': 'reboot',
  'VolumeConfig[EPHEMERAL]': 'live',
  'VolumeConfig[EPHEMERAL].mount.secure': 'reboot',
}
const forControlPlanes = {
  'KubeAuthenticationConfig.configuration.anonymous.conditions': 'restart',
  'KubeAuthenticationConfig.configuration.anonymous.enabled': 'restart',
}
const additionsFor = (role: Role) =>
  role === 'worker' ? additions : { ...additions, ...forControlPlanes }

test.each(roles)(
  'a config of a %s that moves differs in what the new contract brings, and no section is missing',
  (role) => {
    const before = oldConfig(role)
    const after = reshapeConfig(before).documents
    const there = diffConfigs(before, after)
    expect(effectsOf(there)).toEqual(additionsFor(role))
    expect(there.every((difference) => difference.before === undefined)).toBe(true)
    const back = diffConfigs(after, before)
    expect(effectsOf(back)).toEqual(additionsFor(role))
    expect(back.every((difference) => difference.after === undefined)).toBe(true)
  },
)

test('what else differs is named where it stands in the new shape, with both values', () => {
  const before = oldConfig('control-plane', {
    machine: { kubelet: { extraConfig: { maxPods: 100 }, extraMounts: [{ destination: '/own' }] } },
  })
  const after = reshapeConfig(
    oldConfig('control-plane', { machine: { kubelet: { extraConfig: { maxPods: 200 } } } }),
  ).documents
  const differences = diffConfigs(before, after).filter(
    ({ path }) => !Object.hasOwn(additionsFor('control-plane'), path),
  )
  expect(differences).toMatchObject([
    { path: 'KubeletConfig.config.maxPods', before: 100, after: 200, effect: 'restart' },
    { path: 'machine.kubelet.extraMounts', after: undefined, effect: 'restart' },
  ])
})

/** What a plan without a key says of a stored config of the old shape and one that is wanted in the new one. */
async function planned(role: Role, from: ClusterSpec, to: ClusterSpec, isRecorded = true) {
  const node = clusterNode({ role })
  const applied = machineConfigDocuments({ spec: from, node, secrets })
  const documents: JsonObject[] = JSON.parse(JSON.stringify(applied))
  const sealed = await encryptSops(documents, {
    recipients: [recipient],
    encryptedRegex: machineConfigSecrets,
    random: seededRandom(1),
    now: 0,
  })
  const { configDigest = '', hiddenFields } = configMarks(from, node)
  const inStoredShape = publicConfig(to, node)
  return diffStoredConfig(
    {
      documents: readableDocuments(Buffer.from(sealed)) ?? [],
      digest: configDigest,
      fields: isRecorded ? hiddenFields : undefined,
    },
    reshapeConfig(inStoredShape).documents,
    { inStoredShape },
  )
}

test.each(roles)(
  'without a key the plan of a move of a %s says the same, and nothing of secrets that stay',
  async (role) => {
    const environment = { machine: { env: { HTTPS_PROXY: 'http://a:b@c' } } }
    for (const spec of [specOf(), specOf(environment)]) {
      expect(effectsOf(await planned(role, spec, spec))).toEqual(additionsFor(role))
      expect(effectsOf(await planned(role, spec, spec, false))).toEqual(additionsFor(role))
    }
  },
)

test('a hidden value that changes with the move is told', async () => {
  const [from, to] = ['x', 'y'].map((value) => specOf({ machine: { env: { A: value } } }))
  if (!from || !to) throw new Error('there are two')
  expect(await planned('worker', from, to)).toContainEqual({
    path: 'machine.env.A',
    before: 'x',
    after: 'y',
    effect: 'reboot',
    restarts: [],
  })
  expect(await planned('worker', from, to, false)).toContainEqual(
    expect.objectContaining({ path: 'a secret value', effect: 'reboot' }),
  )
})

test('a hidden value that changes is named where it stands in the documents', async () => {
  const [from, to] = ['x', 'y'].map((value) =>
    specOf({
      cluster: {
        apiServer: { env: { A: value } },
        inlineManifests: [{ name: 'own', contents: `data: ${value}` }],
      },
    }),
  )
  if (!from || !to) throw new Error('there are two')
  const paths = (await planned('control-plane', from, to)).map(({ path }) => path)
  expect(paths.filter((path) => !Object.hasOwn(additionsFor('control-plane'), path))).toEqual([
    'KubeAPIServerConfig.env.A',
    'KubeInlineManifestConfig[own].manifest',
  ])
})

test('a part of a config stays what it is beside one of the new shape', () => {
  const link: ConfigDocument = { apiVersion: 'v1alpha1', kind: 'LinkConfig', name: 'eth1' }
  const after = reshapeConfig(oldConfig('worker')).documents
  expect(diffConfigs([link], [...after, link]).map(({ path }) => path)).toContain('KubeletConfig')
})
