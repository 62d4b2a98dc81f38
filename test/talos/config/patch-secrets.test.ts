import { expect, it } from 'vitest'
import { patchSecrets } from '../../../src/talos/config/patch-secrets.ts'
import { clusterSpec } from '../../plan/specs.ts'

const spec = clusterSpec()
const secretsOf = (patch: string) =>
  patchSecrets({ ...spec, talos: { ...spec.talos, controlPlanePatches: [patch] } })

it.each([
  [
    'machine: {registries: {config: {a.example: {auth: {username: robot-account, password: correct-horse}}}}}',
    ['robot-account', 'correct-horse'],
  ],
  [
    'apiVersion: v1alpha1\nkind: RegistryAuthConfig\nname: a.example\nusername: robot\npassword: correct-horse',
    ['correct-horse'],
  ],
  [
    'machine: {env: {https_proxy: "http://user:hunter22hunter@proxy.example:3128"}}',
    ['hunter22hunter'],
  ],
  [
    '[{op: add, path: /cluster/token, value: abcdef.0123456789abcdef}]',
    ['abcdef.0123456789abcdef'],
  ],
  [
    'cluster: {extraManifestHeaders: {Authorization: "Bearer tskey0auth0k123456CNTRL"}}',
    ['tskey0auth0k123456CNTRL'],
  ],
  [
    'apiVersion: v1alpha1\nkind: KubeExternalManifestConfig\nname: a.example\nurl: https://a.example/\nheaders: {Authorization: "Bearer tskey0auth0k123456CNTRL"}',
    ['tskey0auth0k123456CNTRL'],
  ],
  [
    'apiVersion: v1alpha1\nkind: KubeInlineManifestConfig\nname: a.example\nmanifest: "key: 0a1b2c3d4e5f6a7b8c9d\\n"',
    ['0a1b2c3d4e5f6a7b8c9d'],
  ],
  [
    'machine: {files: [{path: /var/a, op: create, content: "url: https://a.example/b/c\\nkey: 0a1b2c3d4e5f6a7b8c9d\\n"}]}',
    ['0a1b2c3d4e5f6a7b8c9d'],
  ],
])('a secret of a patch is known to the redactor: %s', (patch, secrets) => {
  expect(secretsOf(patch)).toEqual(expect.arrayContaining(secrets))
})

it.each([
  'machine: {sysctls: {"net.core.somaxconn": "65535"}}',
  'machine: {env: {GRPC_GO_LOG_SEVERITY_LEVEL: information, no_proxy: "10.0.0.0/16,cluster.local"}}',
  'machine: {nodeLabels: {environment-of-node: production}}',
  'cluster: {apiServer: {extraArgs: {audit-log-maxage: "30"}}}',
  'cluster: {inlineManifests: [{name: namespace, contents: "kind: Namespace\\nmetadata: {name: monitoring}"}]}',
  '- not a patch',
  ': {',
])('a word that is none is not hidden: %s', (patch) => {
  expect(secretsOf(patch)).toEqual([])
})
